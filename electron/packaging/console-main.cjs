// The script inside the console program of Windows, which is in resources\bin.
const { createRequire } = require('node:module');

// The `require` of such a script finds modules of Node.js alone.
const { runCommandLine } = createRequire(process.execPath)('../command-line/server/cli/run.js');
runCommandLine(process);
