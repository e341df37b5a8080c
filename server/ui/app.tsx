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

type LookProps = Pick<ComponentProps<typeof MantineProvider>, 'colorSchemeManager'> & {
  readonly children: ReactNode;
};

/** How everything looks, in whatever language. */
function Look(props: LookProps) {
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
  // Nothing is painted in a theme or a language that is not the chosen one.
  if (state === undefined) return null;
  return (
    <Look colorSchemeManager={desktopTheme}>
      <LoadingBoundary>
        <DesktopGate />
      </LoadingBoundary>
    </Look>
  );
}

/** The page: whoever has a key sees their events, anyone else is asked for one. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      {bridge === undefined ? (
        <Look>
          <BrowserGate />
        </Look>
      ) : (
        <DesktopApp />
      )}
    </QueryClientProvider>
  );
}
