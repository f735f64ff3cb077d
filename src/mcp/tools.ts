/** Every tool, in the order in which they are used. docs/mcp.md has the same list; a test keeps them together. */
import type { AnyTool } from './tool.ts';
import { adviseTool } from './tools/advise.ts';
import { benchTool } from './tools/bench.ts';
import { buildTool } from './tools/build.ts';
import { checkTool, ratchetUpdateTool } from './tools/check.ts';
import { compareTool } from './tools/compare.ts';
import { diagnoseTool } from './tools/diagnose.ts';
import { doctorTool } from './tools/doctor.ts';
import { fuzzTool } from './tools/fuzz.ts';
import { historyPruneTool, historyTool } from './tools/history.ts';
import { lessonsTool } from './tools/lessons.ts';
import { preflightTool } from './tools/preflight.ts';
import { profileTool } from './tools/profile.ts';
import { ratchetTool, ratchetWaiveTool } from './tools/ratchet.ts';
import {
  sessionCheckTool,
  sessionEndTool,
  sessionListTool,
  sessionNoteTool,
  sessionOverrideTool,
  sessionRevertTool,
  sessionStartTool,
  sessionStatusTool,
  sessionTryTool,
} from './tools/session.ts';
import { trendTool } from './tools/trend.ts';
import { tuneApplyTool, tuneTool } from './tools/tune.ts';

export const TOOLS: readonly AnyTool[] = [
  doctorTool,
  preflightTool,
  buildTool,
  fuzzTool,
  benchTool,
  compareTool,
  checkTool,
  profileTool,
  diagnoseTool,
  adviseTool,
  tuneTool,
  lessonsTool,
  sessionListTool,
  sessionStartTool,
  sessionStatusTool,
  sessionCheckTool,
  sessionTryTool,
  sessionNoteTool,
  sessionOverrideTool,
  sessionEndTool,
  historyTool,
  trendTool,
  ratchetTool,
  ratchetUpdateTool,
  ratchetWaiveTool,
  sessionRevertTool,
  tuneApplyTool,
  historyPruneTool,
];
