import type { Migration } from '../../history/migrations/migration.ts';

/** For `pawl queue prune`: what is old, and who has a judgement for its answer. */
export const v2ByJudgement: Migration = {
  version: 2,
  async up({ schema }) {
    await schema.createIndex('submissions_by_judgement').on('submissions').columns(['judgement_n']).execute();
    await schema
      .createIndex('submissions_by_end')
      .on('submissions')
      .columns(['tenant', 'finished_ms', 'n'])
      .execute();
  },
  async down({ schema }) {
    await schema.dropIndex('submissions_by_end').execute();
    await schema.dropIndex('submissions_by_judgement').execute();
  },
};
