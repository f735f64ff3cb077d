import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type McpServer,
} from '@modelcontextprotocol/server';

import { PawlError } from '../../model/pawl-error.ts';
import { clip, plainText } from '../../report/text/plain-text.ts';
import { UNTRUSTED_NOTE } from '../instructions.ts';
import { documentText } from './document.ts';
import type { Resource, ResourceCall } from './resource.ts';
import { RESOURCE_FAMILIES, RESOURCES } from './resources.ts';

/** As Pawl writes ids of runs, studies and sessions: no path, no option, no pattern. */
const ID = /^[A-Za-z0-9][\w.-]{0,119}$/;

export function registerResources(server: McpServer, call: ResourceCall): void {
  for (const resource of RESOURCES) {
    server.registerResource(resource.name, resource.uri, metadataOf(resource), ({ href }) =>
      contents(href, resource.type, () => resource.read(call)),
    );
  }
  for (const family of RESOURCE_FAMILIES) {
    // Not listed one by one: tools name them.
    const template = new ResourceTemplate(family.uri, { list: undefined });
    server.registerResource(family.name, template, metadataOf(family), ({ href }, { id }) => {
      if (typeof id !== 'string' || !ID.test(id)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid id.');
      }
      return contents(href, family.type, () => family.read(id, call));
    });
  }
}

function metadataOf({ title, description, type }: Omit<Resource, 'read'>) {
  return { title, description: `${description} ${UNTRUSTED_NOTE}`, mimeType: type };
}

async function contents(uri: string, mimeType: string, read: () => Promise<string>) {
  try {
    return {
      contents: [{ uri, mimeType, text: documentText(await read()), _meta: { 'pawl/untrusted': true } }],
    };
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    const said = [error.message, ...(error.hint === undefined ? [] : [error.hint])].join(' ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, clip(plainText(said), 500));
  }
}
