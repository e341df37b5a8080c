import { join } from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { type AfterPackContext, Arch, type WinPackager } from 'electron-builder';
import { addCommandLine } from './add-command-line.ts';
import { builtDesktop } from './build.ts';
import { makeServerDeb, writeApplicationFiles } from './debian.ts';

/** The fuses of Electron: https://www.electronjs.org/docs/latest/tutorial/fuses. */
const fuses = {
  version: FuseVersion.V1,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  // Only for the driver of the page's tests: an installed program accepts no debugger.
  [FuseV1Options.EnableNodeCliInspectArguments]: process.env['CLUB_EVENTS_TEST_BUILD'] === '1',
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // There are no cookies, and encryption would ask for the key ring of the system.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
} as const;

/** Adds the files of the deb that name facts of this build, and makes the deb without the window. */
async function completeDeb(context: AfterPackContext, resources: string): Promise<void> {
  const { packager, outDir, arch } = context;
  const { config, appInfo } = packager;
  const { metadata } = packager.info;
  const facts = {
    version: appInfo.version,
    homepage: `${metadata.homepage}`,
    maintainer: `${config.deb?.maintainer}`,
    copyright: appInfo.copyright,
  };
  writeApplicationFiles(join(builtDesktop, 'share'), {
    ...facts,
    id: appInfo.id,
    name: appInfo.productName,
    licence: `${metadata.license}`,
    desktopFile: `${metadata.desktopName}`,
    date: new Date().toISOString().slice(0, 10),
  });
  const commandLine = join(resources, 'command-line');
  await makeServerDeb(outDir, commandLine, { ...facts, arch: `${Arch[arch]}` }).catch((error) => {
    if (error.syscall !== 'spawn dpkg-deb') throw error;
    process.stderr.write('The deb without the window is left out, because dpkg-deb is missing.\n');
  });
}

/** Completes a packed application before electron-builder signs it and builds installers. */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { packager, appOutDir, electronPlatformName: platform, arch } = context;
  // electron-builder itself would set them after this hook, in the launcher.
  await packager.addElectronFuses(context, fuses);
  const resources = packager.getResourcesDir(appOutDir);
  const launcher = await addCommandLine({
    appOutDir,
    resources,
    platform,
    arch: Arch[arch],
  });
  // electron-builder does not sign programs in this folder by itself.
  if (platform === 'win32') await (packager as WinPackager).signIf(launcher);
  if (context.targets.some(({ name }) => name === 'deb')) await completeDeb(context, resources);
}
