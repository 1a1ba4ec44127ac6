export * from './episode.ts';
export * from './errors.ts';
export * from './importing.ts';
export * from './media.ts';
export * from './models.ts';
export * from './reading.ts';
export * from './recording.ts';
export * from './router.ts';
