import type { DeviceInfo } from '../model/device/device.ts';
import type { ImportFormat, ImportNote } from '../model/reports/import-report.ts';
import type { Measurement } from '../model/measure/samples.ts';
import type { ParsedJson } from './parse-json.ts';
import type { TimeUnit } from './time-unit.ts';

/** One file of another tool, decoded. */
export interface Source {
  /** As people know it: the file's name, or its place below the folder that was named, with `/`. */
  readonly name: string;
  readonly text: string;
  /** Absent where the text is not JSON. */
  readonly json: ParsedJson | undefined;
  /** The bytes of a file in or below this one's folder; nothing where there is none. */
  readonly beside: (path: string) => Uint8Array | undefined;
  /** The unit of times, as the user says it: for formats that do not. */
  readonly unit?: TimeUnit;
}

/** What a file says. Processes count from 1 within the file; joining files renumbers them. */
export interface Reading {
  readonly measurements: readonly Measurement[];
  readonly device?: DeviceInfo;
  readonly notes: readonly ImportNote[];
}

/** Reads one format into measurements. Never guesses: what it cannot understand it leaves out and says so. */
export interface Adapter {
  readonly format: ImportFormat;
  /** Who writes it, for messages. */
  readonly tool: string;
  /** From 0, "certainly not", to 1, "this and nothing else". */
  readonly detect: (source: Source) => number;
  /** Throws a PawlError where nothing at all can be read. */
  readonly read: (source: Source) => Reading;
}
