import { judgeBatch } from '../../../src/index.ts';

const { judged, errors } = await judgeBatch('softmax', 'candidates.jsonl', {
  out: 'judgements.jsonl',
  onAnswer: (line) => console.log(line.id, 'error' in line ? line.error.message : line.reward),
});
console.log(judged, errors);
