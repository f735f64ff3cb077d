import type { Project } from '../tool.ts';

export interface ResourceCall {
  readonly project: Project;
  readonly env: NodeJS.ProcessEnv;
}

/** A document under a fixed address. */
export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'text/markdown' | 'application/json' | 'application/yaml';
  read(call: ResourceCall): Promise<string>;
}

/** Documents of one kind: `uri` has `{id}` in it. */
export interface ResourceFamily extends Omit<Resource, 'read'> {
  /** Ids are checked before they get here. */
  read(id: string, call: ResourceCall): Promise<string>;
}
