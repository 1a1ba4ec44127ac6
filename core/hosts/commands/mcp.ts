import { createRequire } from 'node:module';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { EXIT } from '../exit-codes.ts';
import { mcpServer } from '../mcp/tools.ts';
import { type CommonOptions, withEngine } from '../session.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** `footnote mcp`: serves the memory to another assistant on this computer until it closes the pipe. */
export function mcpCommand(options: CommonOptions): Promise<number> {
  return withEngine(options, { readOnly: true }, async (engine) => {
    const server = mcpServer(engine, version);
    const transport = new StdioServerTransport();
    const closed = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await server.connect(transport);
    await closed;
    await server.close();
    return EXIT.ok;
  });
}
