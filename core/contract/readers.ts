import { z } from 'zod';

/** Names and addresses of this computer itself, as an address has them. */
const HERE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host, as it stands in an address, is this computer: any other needs the person's leave. */
export const isThisComputer = (host: string): boolean => HERE.test(host);

/** Which reader answers: the planner, which needs no model, or an agent with a language model. */
export const ReaderChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planner') }),
  /** The writer's model, or another language model of this computer, in a process of Footnote's own. */
  z.object({ kind: z.literal('model') }),
  /** A language server with the common chat protocol (Ollama, LM Studio, llama.cpp). */
  z.object({
    kind: z.literal('server'),
    /** Up to and with the version: "http://127.0.0.1:11434/v1". */
    address: z.string().min(1).max(500),
    model: z.string().min(1).max(200),
    /** Hosts beyond this computer that the person said yes to, by name. */
    allowedHosts: z.array(z.string().min(1).max(253)).max(20).default([]),
    /** Whether the model takes pictures; it is then shown redacted frames where it asks for them. */
    looks: z.boolean().default(false),
    /** Prompt and reply together, tokens. */
    contextTokens: z.number().int().min(2048).max(1_000_000).default(8192),
  }),
]);
export type ReaderChoice = z.infer<typeof ReaderChoice>;

/** A reader that can be had here. */
export const ReaderOffer = z.object({
  choice: ReaderChoice,
  name: z.string(),
  /** What it is, or what is missing and what to do. */
  detail: z.string(),
  ready: z.boolean(),
});
export type ReaderOffer = z.infer<typeof ReaderOffer>;

export const Readers = z.object({ choice: ReaderChoice, offers: z.array(ReaderOffer) });
export type Readers = z.infer<typeof Readers>;
