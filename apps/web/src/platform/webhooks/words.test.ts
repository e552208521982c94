import { describe, expect, it } from 'vitest';
import { answerInWords, durationInWords, prettyJson, timeInWords, triesInWords } from './words.ts';

const NOON = new Date(2026, 10, 21, 12, 0, 5);
const at = NOON.toISOString();

describe('the description of a delivery', () => {
  it('shows seconds, and the date only on another day', () => {
    expect(timeInWords(at, NOON.getTime() + 60_000)).toBe('12:00:05');
    expect(timeInWords(at, NOON.getTime() + 86_400_000)).toBe('Nov 21, 12:00:05');
  });

  it('shows how long a response took', () => {
    expect(durationInWords(999)).toBe('999 ms');
    expect(durationInWords(1_240)).toBe('1.2 s');
  });

  it('shows the status of a response, or the reason for none', () => {
    const attempt = { at, duration_ms: 34, answer: 'thanks' };
    expect(answerInWords({ ...attempt, status: 204 })).toBe('204 in 34 ms');
    expect(answerInWords({ ...attempt, status: null, answer: 'connection refused' })).toBe(
      'No response: connection refused',
    );
    expect(answerInWords({ ...attempt, status: null, answer: '' })).toBe('No response');
  });

  it('counts the attempts', () => {
    expect([0, 1, 2].map(triesInWords)).toEqual(['Not tried yet', '1 attempt', '2 attempts']);
  });

  it('formats JSON over several lines, and leaves other text unchanged', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('{"a"')).toBe('{"a"');
  });
});
