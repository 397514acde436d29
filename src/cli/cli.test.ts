import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { COMANDOS } from './cli.ts';

describe('the list of commands', () => {
  it('calls each by its own word', async () => {
    for (const [name, load] of Object.entries(COMANDOS)) {
      const program = new Command();
      const registrar = await load();
      registrar(program, () => async () => {});
      assert.deepEqual(
        program.commands.map((command) => command.name()),
        [name],
      );
    }
  });
});
