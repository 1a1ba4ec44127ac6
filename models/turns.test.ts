import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets one piece of work follow the other, whatever became of the one before', async () => {
  const turns = new Turns();
  const told: string[] = [];
  const piece = (name: string, ms: number, fails = false) =>
    turns.take(async () => {
      told.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const first = piece('slow', 20, true);
  const second = piece('quick', 0);
  await expect(first).rejects.toThrow('slow');
  await turns.idle();
  expect(told).toEqual(['slow begins', 'slow ends', 'quick begins', 'quick ends']);
  expect(await second).toBe('quick');
});
