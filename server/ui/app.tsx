import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useLanguage } from './i18n/use-language.ts';
import { bridge } from './managing/bridge.ts';
import { DesktopGate } from './managing/desktop-gate.tsx';
import { desktopTheme, useDesktopState } from './managing/desktop-state.ts';
import { queries } from './reading/queries.ts';
import { LoadingBoundary } from './shell/loading-boundary.tsx';
import { Page } from './shell/page.tsx';
import { theme } from './shell/theme.ts';
import { SignIn } from './signin/sign-in.tsx';
import { useSession } from './signin/use-session.ts';

function BrowserGate() {
  const session = useSession();
  if (session.state === 'looking') return null;
  if (session.state === 'out') return <SignIn reason={session.reason} onKey={session.signIn} />;
  const { key, account, signOut } = session;
  return <Page key={account} accessKey={key} account={account} onSignOut={signOut} />;
}

type AppearanceProps = Pick<ComponentProps<typeof MantineProvider>, 'colorSchemeManager'> & {
  readonly children: ReactNode;
};

/** The theme and the language of everything below. */
function Appearance(props: AppearanceProps) {
  useLanguage();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both would write style elements, which the content security policy does not allow.
      withCssVariables={false}
      withGlobalClasses={false}
      {...props}
    />
  );
}

function DesktopApp() {
  const state = useDesktopState();
  // Without the settings, the first paint would flash the wrong theme and language.
  if (state === undefined) return null;
  return (
    <Appearance colorSchemeManager={desktopTheme}>
      <LoadingBoundary>
        <DesktopGate />
      </LoadingBoundary>
    </Appearance>
  );
}

/** The page: behind a sign-in in a browser, with the management screens in the desktop window. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      {bridge === undefined ? (
        <Appearance>
          <BrowserGate />
        </Appearance>
      ) : (
        <DesktopApp />
      )}
    </QueryClientProvider>
  );
}
