import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { type AfterPackContext, Arch, type WinPackager } from 'electron-builder';
import { addCommandLine } from './add-command-line.ts';

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

/** Completes a packed application before electron-builder signs it and builds installers. */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { packager, appOutDir, electronPlatformName: platform, arch } = context;
  // electron-builder itself would set them after this hook, in the launcher.
  await packager.addElectronFuses(context, fuses);
  const launcher = await addCommandLine({
    appOutDir,
    resources: packager.getResourcesDir(appOutDir),
    platform,
    arch: Arch[arch],
  });
  // electron-builder does not sign programs in this folder by itself.
  if (platform === 'win32') await (packager as WinPackager).signIf(launcher);
}
