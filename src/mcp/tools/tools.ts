/** Every tool, in the order in which they are used. docs/mcp.md has the same list; a test keeps them together. */
import type { AnyTool } from '../tool.ts';
import { adviseTool } from './advise.ts';
import { benchTool } from './bench.ts';
import { buildTool } from './build.ts';
import { checkTool, ratchetUpdateTool } from './check.ts';
import { compareTool } from './compare.ts';
import { deviceTool } from './device.ts';
import { diagnoseTool } from './diagnose.ts';
import { doctorTool } from './doctor.ts';
import { fuzzTool } from './fuzz.ts';
import { historyPruneTool, historyTool } from './history.ts';
import { initTool } from './init.ts';
import { judgeTool } from './judge.ts';
import { lessonsTool } from './lessons.ts';
import { preflightTool } from './preflight.ts';
import { profileTool } from './profile.ts';
import { ratchetTool, ratchetWaiveTool } from './ratchet.ts';
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
} from './session.ts';
import { trendTool } from './trend.ts';
import { tuneApplyTool, tuneTool } from './tune.ts';

export const TOOLS: readonly AnyTool[] = [
  initTool,
  doctorTool,
  deviceTool,
  preflightTool,
  buildTool,
  fuzzTool,
  benchTool,
  compareTool,
  judgeTool,
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
