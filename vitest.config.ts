import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'core/**/*.test.ts',
      'models/**/*.test.ts',
      'electron/**/*.test.ts',
      'renderer/**/*.test.{ts,tsx}',
      'e2e/harness/**/*.test.ts',
    ],
    // Real ffmpeg, real ONNX sessions and real LanceDB on a small machine: a test is slow before it is stuck.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    env: { LANCE_LOG: 'error' },
    maxWorkers: 2,
  },
});
