// The script in the console program for Windows, which is in resources\bin.
const { createRequire } = require('node:module');

// The `require` of such a script finds only built-in modules.
const requireProgram = createRequire(process.execPath);
if (process.argv[2] === 'outside-files') {
  requireProgram('../command-line/server/outside/file-process.js');
} else {
  const { runCommandLine } = requireProgram('../command-line/server/cli/program.js');
  runCommandLine(process);
}
