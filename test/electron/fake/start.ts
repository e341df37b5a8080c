import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { app } from './electron/app.ts';

// As under Electron, the program is ready once its main module has come to its end, and not before.
const [, , main = ''] = process.argv;
// What is installed is called by its own name, anything else as an argument of Electron.
process.argv.splice(1, app.isPackaged ? 2 : 1);
await import(pathToFileURL(main).href);
app.begin();
