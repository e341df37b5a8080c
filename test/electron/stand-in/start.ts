import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { app } from './double/app.ts';

// As under Electron, the program is ready once its main module has come to its end, and not before.
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? '').href);
app.begin();
