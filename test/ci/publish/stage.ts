import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import type { PublishOptions, PublishOutcome } from '../../../src/ci/publish-run.ts';
import { startStandIn, type StandIn } from '../../contract/github/stand-in.ts';
import { HEAD_SHA, plant, publish, refused, reportZip, type Planted } from './hostile-runs.ts';

/** One stand-in for a file of attacks, and what every one of them must come to. */
export class Stage {
  #standIn: StandIn | undefined;

  constructor() {
    beforeAll(async () => {
      this.#standIn = await startStandIn();
    });
    afterEach(() => this.standIn.reset());
    afterAll(() => this.standIn.close());
  }

  get standIn(): StandIn {
    if (this.#standIn === undefined) throw new Error('the stand-in has not started');
    return this.#standIn;
  }

  /** Nothing of the artifact is shown, and the commit has a neutral check run that says so. */
  async expectZipRefused(zip: Uint8Array, why: RegExp, planted: Planted = {}): Promise<void> {
    plant(this.standIn, zip, planted);
    await this.expectRefused(why);
  }

  async expectReportRefused(report: unknown, why: RegExp): Promise<void> {
    await this.expectZipRefused(reportZip(report), why);
  }

  async expectRefused(why: RegExp, options: Partial<PublishOptions> = {}): Promise<void> {
    const { kind, message } = await refused(this.standIn, options);
    expect(message).toMatch(why);
    expect(kind).toBe('bad-data');
    expect(message).not.toMatch(/::|##\[|[\p{C}]/u);
    const { comments, checkRuns } = this.standIn.state;
    expect(comments).toEqual([]);
    expect(checkRuns).toMatchObject([
      {
        name: 'Pawl',
        head_sha: HEAD_SHA,
        conclusion: 'neutral',
        output: { title: "Pawl could not read this run's report", summary: expect.stringMatching(why) },
      },
    ]);
  }

  /** Refused before it is known whose run it is: not a trace is left. */
  async expectIgnored(why: RegExp, options: Partial<PublishOptions> = {}): Promise<void> {
    const { kind, message } = await refused(this.standIn, options);
    expect(message).toMatch(why);
    expect(kind).toBe('bad-data');
    this.expectUntouched();
  }

  expectUntouched(): void {
    expect(this.standIn.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  }

  /** What people see of a report. */
  async shown(
    report: unknown,
    options: Partial<PublishOptions> = {},
    planted: Planted = {},
  ): Promise<{
    readonly comment: string;
    readonly conclusion: string;
    readonly outcome: PublishOutcome & { readonly state: 'published' };
  }> {
    plant(this.standIn, reportZip(report), planted);
    const outcome = await publish(this.standIn, options);
    if (outcome.state !== 'published') throw new Error(`not published: ${outcome.state}`);
    const { comments, checkRuns } = this.standIn.state;
    expect(comments).toHaveLength(1);
    expect(checkRuns).toHaveLength(1);
    return { comment: comments[0]!.body, conclusion: checkRuns[0]!.conclusion!, outcome };
  }
}
