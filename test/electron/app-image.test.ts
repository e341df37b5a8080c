import { expect, it } from 'vitest';
import { removeAppImageFolders } from '../../electron/system/app-image.ts';

/** The environment that AppRun of electron-builder sets. */
const started = {
  APPDIR: '/tmp/.mount_club',
  APPIMAGE: '/home/me/club-events.AppImage',
  PATH: '/tmp/.mount_club:/tmp/.mount_club/usr/sbin:/usr/bin:/bin',
  LD_LIBRARY_PATH: '/tmp/.mount_club/usr/lib',
  XDG_DATA_DIRS: '/tmp/.mount_club/usr/share/::/usr/share/gnome:/usr/local/share/:/usr/share/',
  GSETTINGS_SCHEMA_DIR: '/tmp/.mount_club/usr/share/glib-2.0/schemas',
};

it('removes its folders from the environment of other programs', () => {
  const env: NodeJS.ProcessEnv = { ...started };
  removeAppImageFolders({ env, versions: {}, execPath: '/tmp/.mount_club/club-events-window' });
  expect(env).toEqual({
    APPDIR: started.APPDIR,
    APPIMAGE: started.APPIMAGE,
    PATH: '/usr/bin:/bin',
    XDG_DATA_DIRS: '/usr/share/gnome:/usr/local/share/:/usr/share/',
  });
});

it('keeps the environment of another AppImage, such as a terminal', () => {
  const env: NodeJS.ProcessEnv = { ...started };
  removeAppImageFolders({ env, versions: {}, execPath: '/opt/Club Events/club-events-window' });
  expect(env).toEqual(started);
});
