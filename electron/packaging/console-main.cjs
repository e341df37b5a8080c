// The script in the console program for Windows, which is in resources\bin.
const { createRequire } = require('node:module');

// The `require` of such a script finds only built-in modules.
const { runCommandLine } = createRequire(process.execPath)('../command-line/server/cli/program.js');
runCommandLine(process);
