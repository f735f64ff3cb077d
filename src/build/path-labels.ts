/**
 * Names for paths that stay the same when a project or Pawl itself moves, so that neither invalidates the
 * cache. Paths are compared as text and never normalised: `a/../b` is not `b` where `a` is a symbolic link.
 */
export class PathLabels {
  /** Longest first: Pawl may be installed inside the project, or the project lie inside Pawl. */
  readonly #places: readonly (readonly [label: string, prefix: string])[];

  constructor(places: Readonly<Record<string, string>>) {
    this.#places = Object.entries(places)
      .map(([label, folder]) => [`<${label}>/`, folder.endsWith('/') ? folder : `${folder}/`] as const)
      .sort((a, b) => b[1].length - a[1].length);
  }

  label(path: string): string {
    for (const [label, prefix] of this.#places) {
      if (path.startsWith(prefix)) return label + path.slice(prefix.length);
      if (`${path}/` === prefix) return label;
    }
    return path;
  }

  path(label: string): string {
    for (const [start, prefix] of this.#places) {
      if (label.startsWith(start)) return prefix + label.slice(start.length);
    }
    return label;
  }

  /** Text with every mention of a place replaced by its label: `-I/home/me/project/include`. */
  labelText(text: string): string {
    return this.#places.reduce((labelled, [label, prefix]) => labelled.replaceAll(prefix, label), text);
  }
}
