/** By itself, so that listing lessons loads no schema. */
export const LESSONS_SCHEMA = 'pawl.lessons/1';
