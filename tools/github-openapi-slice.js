#!/usr/bin/env node
/**
 * Cuts GitHub's OpenAPI description down to the operations that Pawl speaks, for the contract proxy of the tests:
 *
 *   npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz
 *   node tools/github-openapi-slice.js package > test/fixtures/github/openapi-slice.json
 *
 * Texts for people are dropped. Every operation is given the answers that GitHub documents once for all of them and
 * not in the description: 403 and 429 for rate limits, 5xx for trouble of its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const REPO = '/repos/{owner}/{repo}';

/** Path → methods. */
const OPERATIONS = {
  '/user': ['get'],
  [REPO]: ['get'],
  [`${REPO}/issues/{issue_number}/comments`]: ['get', 'post'],
  [`${REPO}/issues/comments/{comment_id}`]: ['get', 'patch', 'delete'],
  [`${REPO}/issues/{issue_number}/labels`]: ['post'],
  [`${REPO}/check-runs`]: ['post'],
  [`${REPO}/check-runs/{check_run_id}`]: ['get', 'patch'],
  [`${REPO}/commits/{ref}/check-runs`]: ['get'],
  [`${REPO}/commits/{commit_sha}/pulls`]: ['get'],
  [`${REPO}/pulls`]: ['get', 'post'],
  [`${REPO}/pulls/{pull_number}`]: ['get', 'patch'],
  [`${REPO}/actions/runs/{run_id}`]: ['get'],
  [`${REPO}/actions/runs/{run_id}/artifacts`]: ['get'],
  [`${REPO}/actions/artifacts/{artifact_id}/{archive_format}`]: ['get'],
  [`${REPO}/git/ref/{ref}`]: ['get'],
  [`${REPO}/git/refs`]: ['post'],
  [`${REPO}/git/refs/{ref}`]: ['patch'],
  [`${REPO}/contents/{path}`]: ['get'],
};

const DROPPED = new Set(['description', 'summary', 'externalDocs', 'tags', 'title']);

const ERROR_RESPONSE = {
  description: 'An error.',
  content: {
    'application/json': {
      schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
  },
};
const ALWAYS_POSSIBLE = ['403', '429', '500', '502', '503'];

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: github-openapi-slice.js FOLDER_OF_THE_UNPACKED_PACKAGE\n');
  process.exit(64);
}
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const { version } = read('package.json');
const whole = read('generated/api.github.com.json');

const paths = {};
for (const [path, methods] of Object.entries(OPERATIONS)) {
  const source = whole.paths[path];
  if (source === undefined) throw new Error(`the description has no ${path}`);
  paths[path] = {};
  for (const method of methods) {
    const operation = lean(source[method]);
    if (operation === undefined) throw new Error(`the description has no ${method} ${path}`);
    for (const status of ALWAYS_POSSIBLE) operation.responses[status] = ERROR_RESPONSE;
    paths[path][method] = operation;
  }
}
const components = reachable(paths);
const slice = {
  openapi: whole.openapi,
  info: { title: `GitHub REST API, slice of @octokit/openapi ${version}`, version: whole.info.version },
  paths,
  components,
};
process.stdout.write(`${JSON.stringify(slice, undefined, 1)}\n`);

/** Without texts and extensions. Under `properties` the keys are names of data, and stay. */
function lean(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => lean(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    if (!isNames && (DROPPED.has(key) || key.startsWith('x-'))) return [];
    if (key === 'example' && !isNames) return [];
    // Examples are data: templates of what the stand-in answers.
    if (key === 'examples' && !isNames) return [[key, oneExample(item)]];
    return [[key, lean(item, !isNames && key === 'properties')]];
  });
  const object = Object.fromEntries(kept);
  // A response has to have one.
  if (!isNames && 'content' in object && !('in' in object)) object.description = '';
  return object;
}

function oneExample(examples) {
  if (Array.isArray(examples)) return examples.slice(0, 1);
  return Object.fromEntries(Object.entries(examples).slice(0, 1));
}

/** Everything that is referred to, however indirectly. */
function reachable(root) {
  const found = {};
  const queue = [root];
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (typeof value.$ref === 'string') {
      const [, , group, name] = value.$ref.split('/');
      found[group] ??= {};
      if (found[group][name] === undefined) {
        const source = whole.components[group][name];
        found[group][name] = group === 'examples' ? { value: source.value } : lean(source);
        if (group === 'responses') found[group][name].description = '';
        queue.push(found[group][name]);
      }
    }
    queue.push(...Object.values(value));
  }
  return found;
}
