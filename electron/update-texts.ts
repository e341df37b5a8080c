import { defineTexts } from '../server/ui/i18n/text.ts';

export const updateTexts = defineTexts({
  en: {
    unreachable:
      'The update server cannot be reached; check the internet connection and try again.',
    untrusted:
      'The update server gave something that cannot be trusted; nothing was installed. Try again another day.',
    noRoom:
      'There is not enough room for the update beside the program. Free some space and try again.',
  },
  de: {
    unreachable:
      'Der Update-Server ist nicht erreichbar; prüfen Sie die Internetverbindung und versuchen Sie es noch einmal.',
    untrusted:
      'Der Update-Server lieferte etwas, dem nicht zu trauen ist; es wurde nichts installiert. Versuchen Sie es an einem anderen Tag noch einmal.',
    noRoom:
      'Neben dem Programm ist nicht genug Platz für das Update. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  },
  fr: {
    unreachable:
      'Le serveur de mises à jour est injoignable ; vérifiez la connexion à Internet et réessayez.',
    untrusted:
      'Le serveur de mises à jour a donné quelque chose qui n’est pas fiable ; rien n’a été installé. Réessayez un autre jour.',
    noRoom:
      'Il n’y a pas assez de place pour la mise à jour à côté du programme. Libérez de l’espace et réessayez.',
  },
  nl: {
    unreachable:
      'De updateserver is niet bereikbaar; controleer de internetverbinding en probeer het opnieuw.',
    untrusted:
      'De updateserver gaf iets wat niet te vertrouwen is; er is niets geïnstalleerd. Probeer het een andere dag opnieuw.',
    noRoom:
      'Naast het programma is niet genoeg ruimte voor de update. Maak ruimte vrij en probeer het opnieuw.',
  },
});
