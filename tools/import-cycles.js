/**
 * Fails where files import one another in a circle, or folders do (docs/architecture.md). Imports of types and those
 * at run time count like others. A folder stands for the files directly in it: what is below is another folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g;

/** What each file below a folder imports of the others there. */
function importsBelow(root) {
  const files = readdirSync(root, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, name))
    .toSorted();
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const sources = Array.from(readFileSync(file, 'utf8').matchAll(IMPORT), ([, path]) => path);
      return [
        file,
        new Set(sources.map((path) => join(dirname(file), path)).filter((path) => known.has(path))),
      ];
    }),
  );
}

function betweenFolders(imports) {
  const folders = new Map();
  for (const [file, targets] of imports) {
    const from = dirname(file);
    const known = folders.get(from) ?? new Set();
    folders.set(from, known);
    for (const target of targets) if (dirname(target) !== from) known.add(dirname(target));
  }
  return folders;
}

function reachableFrom(start, graph) {
  const reached = new Set();
  const open = [start];
  while (open.length > 0) {
    for (const next of graph.get(open.pop()) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** Groups of nodes each of which leads to every other. */
function cyclesOf(graph) {
  const reach = new Map(Array.from(graph.keys(), (node) => [node, reachableFrom(node, graph)]));
  const grouped = new Set();
  return [...graph.keys()].flatMap((node) => {
    if (grouped.has(node) || !reach.get(node).has(node)) return [];
    const group = [...graph.keys()].filter(
      (other) => reach.get(node).has(other) && reach.get(other).has(node),
    );
    for (const other of group) grouped.add(other);
    return [group];
  });
}

const root = process.argv[2] ?? 'src';
const files = importsBelow(root);
const folders = betweenFolders(files);
const cycles = { file: cyclesOf(files), folder: cyclesOf(folders) };
for (const [what, found] of Object.entries(cycles)) {
  for (const group of found) console.log(`${what} cycle: ${group.join(' ')}`);
}
console.log(`${root}: ${cycles.file.length} file cycles, ${cycles.folder.length} folder cycles`);
if (cycles.file.length + cycles.folder.length > 0) process.exitCode = 1;
