import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useLanguage } from './i18n/use-language.ts';
import { bridge } from './managing/bridge.ts';
import { DesktopGate } from './managing/desktop-gate.tsx';
import { Page } from './shell/page.tsx';
import { theme } from './shell/theme.ts';
import { SignIn } from './signin/sign-in.tsx';
import { useSession } from './signin/use-session.ts';

const queries = new QueryClient();

function Gate() {
  return bridge === undefined ? <BrowserGate /> : <DesktopGate />;
}

function BrowserGate() {
  const session = useSession();
  if (session.state === 'looking') return null;
  if (session.state === 'out') return <SignIn reason={session.reason} onKey={session.signIn} />;
  const { key, account, signOut } = session;
  return <Page key={account} accessKey={key} account={account} onSignOut={signOut} />;
}

/** The page: whoever has a key sees their events, anyone else is asked for one. */
export function App() {
  useLanguage();
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        // Both would write style elements, which the content security policy does not allow.
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Gate />
      </MantineProvider>
    </QueryClientProvider>
  );
}
