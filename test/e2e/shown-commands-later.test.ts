import { describeScenarios } from './shown-commands/describe-scenarios.ts';
import { LATER } from './shown-commands/table.ts';

// Besides test/e2e/shown-commands.test.ts, so that workers share the time.
describeScenarios(LATER);
