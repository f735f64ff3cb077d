/** Every resource. docs/mcp.md has the same list; a test keeps them together. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { insideProject } from '../inside-project.ts';
import type { Resource, ResourceFamily } from './resource.ts';

const NO_CONFIG = new PawlError(
  'configuration',
  'There is no pawl.yaml yet.',
  'pawl_init writes one with an example kernel; pawl://config/reference explains it.',
);

export const RESOURCES: readonly Resource[] = [
  {
    name: 'method',
    uri: 'pawl://method',
    title: 'The method',
    description: 'The phases of a session, and what every gate requires and why.',
    type: 'text/markdown',
    async read({ project }) {
      const [{ projectMethod }, { renderMethodMarkdown }] = await Promise.all([
        import('../../workflows/method.ts'),
        import('../../report/markdown/method-markdown.ts'),
      ]);
      return renderMethodMarkdown(await projectMethod(project.config));
    },
  },
  {
    name: 'method-gates',
    uri: 'pawl://method/gates',
    title: 'The gates as data',
    description: 'The same for programs (schema pawl.method/1).',
    type: 'application/json',
    async read({ project }) {
      const { projectMethod } = await import('../../workflows/method.ts');
      return JSON.stringify(await projectMethod(project.config), undefined, 1);
    },
  },
  {
    name: 'config',
    uri: 'pawl://config',
    title: 'pawl.yaml',
    description: 'The project: problems, cases, kernels, tunables, how it is measured.',
    type: 'application/yaml',
    async read({ project }) {
      const file = await insideProject(project.root, basename(project.config)).catch((error: unknown) => {
        if (error instanceof PawlError && error.kind === 'usage') throw NO_CONFIG;
        throw error;
      });
      return readFile(file, 'utf8').catch((error: Error) => {
        throw new PawlError(
          'configuration',
          `pawl.yaml cannot be read: ${error.message}`,
          'pawl_init writes one.',
        );
      });
    },
  },
  {
    name: 'config-reference',
    uri: 'pawl://config/reference',
    title: 'The reference of pawl.yaml',
    description:
      'Every key of pawl.yaml with examples: problems, tensors, oracles, cases, kernels, tunables.',
    type: 'text/markdown',
    async read() {
      const { configReference } = await import('../../workflows/config-reference.ts');
      return configReference();
    },
  },
  {
    name: 'latest-report',
    uri: 'pawl://report/latest',
    title: 'The latest measurement',
    description: 'The whole report of the latest pawl_bench.',
    type: 'text/markdown',
    read: async ({ project }) =>
      (await import('../../workflows/latest-report.ts')).latestReport(project.root),
  },
  {
    name: 'lessons',
    uri: 'pawl://lessons',
    title: 'Lessons',
    description: "Known problems and their fixes: Pawl's own, and the project's.",
    type: 'application/json',
    async read({ project }) {
      const { listLessons } = await import('../../workflows/list-lessons.ts');
      return JSON.stringify(await listLessons({ config: project.config }), undefined, 1);
    },
  },
  {
    name: 'rules',
    uri: 'pawl://rules',
    title: 'The rules of diagnosis',
    description: 'What each finding of a profile means, when it is found, and how to fix it.',
    type: 'text/markdown',
    async read() {
      const { ruleGuide } = await import('../../workflows/rule-guide.ts');
      const sections = ruleGuide().map(
        ({ id, meaning, condition, fix, gain, source }) =>
          `## ${id}\n\n${meaning}\n\n- Condition: ${condition}\n- Fix: ${fix}\n- Gain: ${gain}\n- Source: ${source}\n`,
      );
      return ['# The rules of diagnosis\n', ...sections].join('\n');
    },
  },
];

export const RESOURCE_FAMILIES: readonly ResourceFamily[] = [
  {
    name: 'session-report',
    uri: 'pawl://session/{id}/report',
    title: 'The report of a session',
    description: 'What went wrong, what went right, time and speed-up against earlier sessions.',
    type: 'text/markdown',
    async read(id, { project }) {
      const { reportOnSession } = await import('../../workflows/session.ts');
      return reportOnSession({ config: project.config, session: id });
    },
  },
  {
    name: 'run',
    uri: 'pawl://run/{id}',
    title: 'A run',
    description: 'Everything about one run of the history except its samples; pawl_history lists ids.',
    type: 'application/json',
    async read(id, { project }) {
      const { showRun } = await import('../../workflows/history.ts');
      return JSON.stringify(await showRun({ config: project.config, run: id }), undefined, 1);
    },
  },
];
