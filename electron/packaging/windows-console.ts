import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';

const root = join(import.meta.dirname, '../..');

/*
 * A console program for Windows, built as Node.js documents under "Single executable applications".
 * Unlike a .cmd file, every program finds it, waits for it and passes it any argument unchanged.
 */

/** The text in Node.js whose last digit says whether it contains a script. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The type of resources with raw data (RT_RCDATA). */
const plainData = 10;

/** Builds the blob that Node.js reads from its own program, with the script console-main.cjs. */
async function makeScriptBlob(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'club-events-console-'));
  try {
    const output = join(folder, 'script.blob');
    const settings = {
      main: join(import.meta.dirname, 'console-main.cjs'),
      output,
      disableExperimentalSEAWarning: true,
      // Options of Node.js in the environment are meant for developers.
      execArgvExtension: 'none',
    };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    const args = ['--experimental-sea-config', join(folder, 'settings.json')];
    await promisify(execFile)(process.execPath, args);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sets the name, version and icon that Windows shows for the program. */
function setProperties(resources: NtExecutableResource): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [info = Resource.VersionInfo.createEmpty()] = Resource.VersionInfo.fromEntries(
    resources.entries,
  );
  const [language = { lang: 0x0409, codepage: 1200 }] = info.getAllLanguagesForStringValues();
  info.setFileVersion(version);
  info.setProductVersion(version);
  info.setStringValues(language, {
    FileVersion: version,
    ProductVersion: version,
    CompanyName: 'The Club Events authors',
    FileDescription: 'Club Events, command line',
    InternalName: 'club-events',
    OriginalFilename: 'club-events.exe',
    ProductName: 'Club Events',
  });
  info.outputToResourceEntries(resources.entries);
  const icon = Data.IconFile.from(readFileSync(join(import.meta.dirname, 'icon.ico')));
  const pictures = icon.icons.map(({ data }) => data);
  Resource.IconGroupEntry.replaceIconsForResource(resources.entries, 1, language.lang, pictures);
}

/** Sets the digit after the fuse. Throws unless the fuse occurs exactly once and is not set. */
function setFuse(program: Buffer): void {
  const at = program.indexOf(`${fuse}:0`);
  if (at === -1 || program.includes(`${fuse}:`, at + 1)) {
    throw new Error('This Node.js cannot contain a script.');
  }
  program.write('1', at + fuse.length + 1);
}

export async function makeConsoleProgram(node: Buffer): Promise<Buffer> {
  // The signature of Node.js no longer matches the changed program.
  const program = NtExecutable.from(node, { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  const blob = new Uint8Array(await makeScriptBlob());
  resources.replaceResourceEntry({
    type: plainData,
    id: 'NODE_SEA_BLOB',
    lang: 0,
    codepage: 0,
    bin: blob.buffer,
  });
  setProperties(resources);
  resources.outputResource(program);
  const output = Buffer.from(program.generate());
  setFuse(output);
  return output;
}
