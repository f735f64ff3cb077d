/**
 * Lint rule: data goes one way (docs/architecture.md). A station imports `model`, `stats` and the stations
 * before it, never one after it; workflows import stations; doors import workflows and `report`; nothing
 * imports a door, but `cli`, whose commands open the others. The dashboard runs in a browser: it imports `model`, `stats`,
 * `report` and the words of `learn`, and of the other stations types alone, which are gone when it is built.
 */
export const STATIONS = [
  'config',
  'device',
  'build',
  'scaffold',
  'runner',
  'correctness',
  'measure',
  'rig',
  'judge',
  'ratchet',
  'operator',
  'profile',
  'engine',
  'history',
  'alerts',
  'queue',
  'tune',
  'learn',
  'adapters',
  'adopt',
];
const BELOW_ALL = ['model', 'stats', 'os'];
const DOORS = ['cli', 'ci', 'server', 'mcp'];

/** What each room may import, by room. */
function allowedRooms(room) {
  if (room === 'stats') return ['stats'];
  if (room === 'model') return ['model'];
  if (room === 'os') return ['model', 'os'];
  if (STATIONS.includes(room)) return [...BELOW_ALL, ...STATIONS.slice(0, STATIONS.indexOf(room) + 1)];
  if (room === 'report') return ['model', 'stats', 'report'];
  if (room === 'workflows') return [...BELOW_ALL, ...STATIONS, 'report', 'workflows'];
  // `pawl ci`, `pawl serve` and `pawl mcp` open the other doors.
  if (room === 'cli') return [...BELOW_ALL, 'report', 'workflows', ...DOORS];
  if (DOORS.includes(room)) return [...BELOW_ALL, 'report', 'workflows', room];
  if (room === 'web') return ['model', 'stats', 'report', 'learn', 'web'];
  if (room === 'index') return [...BELOW_ALL, 'report', 'workflows'];
  return undefined;
}

/** The room of a file below src/: its first folder, or 'index' for a file directly in src/; 'web' for the dashboard's. */
function roomOf(path) {
  if (/(?:^|\/)web\/app\//.test(path)) return 'web';
  const below = /(?:^|\/)src\/(.*)$/.exec(path)?.[1];
  if (below === undefined) return undefined;
  const [first, ...rest] = below.split('/');
  return rest.length === 0 ? 'index' : first;
}

function isTypeOnly({ importKind, exportKind }) {
  return importKind === 'type' || exportKind === 'type';
}

function nameOf(room) {
  return room === 'web' ? 'web' : `src/${room}`;
}

function resolve(from, relative) {
  const parts = from.split('/').slice(0, -1);
  for (const step of relative.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

export const importDirection = {
  create(context) {
    const file = context.filename.replaceAll('\\', '/');
    const room = roomOf(file);
    if (room === undefined) return {};
    const allowed = allowedRooms(room);
    function check(node, source) {
      if (allowed === undefined) {
        context.report({ node, message: `src/${room} is not a room that docs/architecture.md names` });
        return;
      }
      if (typeof source !== 'string' || !source.startsWith('.')) return;
      const target = roomOf(resolve(file, source));
      const isErased = room === 'web' && STATIONS.includes(target) && isTypeOnly(node);
      if (target !== undefined && !allowed.includes(target) && !isErased) {
        context.report({
          node,
          message: `${nameOf(room)} may not import ${nameOf(target)}: data goes one way (docs/architecture.md)`,
        });
      }
    }
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ExportAllDeclaration: (node) => check(node, node.source.value),
      ExportNamedDeclaration: (node) => check(node, node.source?.value),
      ImportExpression: (node) => check(node, node.source.value),
    };
  },
};
