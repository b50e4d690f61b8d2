import type { Translated } from '../catalogue.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn = {
  signIn: {
    page: 'Anmelden',
    title: 'Bei Docket anmelden',
    ended: 'Ihre Sitzung ist beendet. Nach dem Anmelden geht es an derselben Stelle weiter.',
    made: 'Ihr Konto ist erstellt. Sie können sich jetzt anmelden.',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    wrong: 'E-Mail oder Passwort ist falsch.',
    wrongWithTries:
      'E-Mail oder Passwort ist falsch. {tries, plural, =0 {Vorerst ist kein Versuch mehr möglich.} one {Noch # Versuch.} other {Noch # Versuche.}}',
    wait: 'Zu viele Versuche. Weiter geht es in {time}.',
    waitSeconds: 'Zu viele Versuche. Weiter geht es in {seconds, plural, one {# Sekunde} other {# Sekunden}}.',
    failed:
      'Anmelden fehlgeschlagen: Der Server war nicht erreichbar oder konnte nicht antworten. Bitte erneut versuchen.',
    foot: 'Noch kein Konto? Die Administration lädt Sie ein.',
    newPassword: 'Ihr neues Passwort gilt. Sie können sich jetzt damit anmelden.',
    refused: 'Auf diesem Weg ist kein Zugang möglich. Fragen Sie die Administration, ob Sie hier ein Konto haben.',
    code: 'Code',
    codeHint: 'Aus Ihrer Authenticator-App, oder einer Ihrer Backup-Codes.',
    wrongCode: 'Dieser Code stimmt nicht. Nach fünf falschen beginnt die Anmeldung wieder beim Passwort.',
    back: 'Von vorn beginnen',
    passkey: 'Mit Passkey anmelden',
    passkeyRefused: 'Dieser Passkey ist hier nicht bekannt.',
    openId: 'Mit {name} anmelden',
  },
  setUp: {
    page: 'Einrichten',
    title: 'Erstes Admin-Konto erstellen',
    note: 'Dieser Link gilt einmal. Das Konto darf hier alles.',
    noToken: 'Diese Seite öffnet sich mit dem Einmal-Link, den das Terminal beim Start des Servers zeigt.',
    name: 'Name',
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'Mindestens {length, number} Zeichen.',
    submit: 'Konto erstellen',
    usedLink:
      'Dieser Link wurde schon benutzt oder gilt nicht mehr. Das Terminal zeigt einen neuen, wenn der Server ohne Admin-Konto startet.',
    failed:
      'Das Konto konnte nicht erstellt werden: Der Server war nicht erreichbar oder konnte nicht antworten. Bitte erneut versuchen.',
  },
  takeUp: {
    page: 'Einladung',
    invitation: {
      title: 'Konto übernehmen',
      note: 'Sie wurden zu diesem Docket eingeladen. Der Link gilt einmal.',
      submit: 'Konto übernehmen',
    },
    password: {
      title: 'Neues Passwort wählen',
      note: 'Diesen Link hat die Administration für Sie erstellt. Er gilt einmal und beendet alle Ihre Sitzungen.',
      submit: 'Passwort festlegen',
    },
    usedLink:
      'Dieser Link wurde schon benutzt, durch einen anderen ersetzt oder ist zu alt. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
    failed:
      'Das ist fehlgeschlagen: Der Server war nicht erreichbar oder konnte nicht antworten. Bitte erneut versuchen.',
  },
  security: {
    lead: 'Wie Sie sich anmelden und wo Sie angemeldet sind.',
    yourPassword: 'Ihr Passwort',
    wrong: {
      password: 'Das ist nicht Ihr Passwort.',
      code: 'Dieser Code stimmt nicht. Vielleicht geht die Uhr des Geräts falsch.',
      tries: 'Zu viele Versuche. Bitte in ein paar Minuten erneut versuchen.',
    },
    password: {
      title: 'Passwort',
      current: 'Aktuelles Passwort',
      new: 'Neues Passwort',
      submit: 'Passwort ändern',
      done: '{sessions, plural, =0 {Passwort geändert.} one {Passwort geändert. # weitere Sitzung beendet.} other {Passwort geändert. # weitere Sitzungen beendet.}}',
    },
    codes: {
      title: 'Codes einer App',
      isOff: 'Aus: Ihr Passwort genügt zum Anmelden.',
      isOn: 'An: Nach dem Passwort wird ein Code Ihrer Authenticator-App verlangt.',
      on: 'Ab jetzt wird nach dem Passwort ein Code verlangt.',
      off: 'Zum Anmelden genügt wieder das Passwort.',
      begin: {
        open: 'Einrichten…',
        title: 'Codes einrichten',
        submit: 'Weiter',
        means: 'Halten Sie Ihre Authenticator-App bereit. Zuerst Ihr Passwort.',
      },
      renew: {
        open: 'Neue Backup-Codes…',
        title: 'Neue Backup-Codes',
        submit: 'Erstellen',
        means: 'Die bisherigen gelten dann nicht mehr.',
      },
      end: {
        open: 'Ausschalten…',
        title: 'Codes ausschalten',
        submit: 'Ausschalten',
        means: 'Zum Anmelden genügt dann das Passwort.',
      },
      confirm: {
        title: 'Codes einrichten',
        submit: 'Einschalten',
        scan: 'Scannen Sie dies mit Ihrer Authenticator-App.',
        picture: 'QR-Code für Ihre Authenticator-App',
        typed: 'Oder geben Sie diesen Schlüssel dort ein:',
        code: 'Code, den die App zeigt',
      },
      backup: {
        title: 'Backup-Codes',
        label: 'Zehn Codes, jeder für eine Anmeldung',
        means: 'Für den Tag, an dem die App verloren geht. Bewahren Sie sie dort auf, wo Ihre Passwörter liegen.',
      },
    },
    passkeys: {
      title: 'Passkeys',
      means: 'Mit einem Passkey melden Sie sich über Ihr Gerät an, ohne Passwort und Code.',
      open: 'Hinzufügen…',
      submit: 'Passkey hinzufügen',
      name: 'Name',
      nameHint: 'Zum Beispiel das Gerät, auf dem er liegt.',
      unnamed: 'Passkey',
      added: 'Hinzugefügt: {time}.',
      done: '„{name}“ hinzugefügt.',
      remove: 'Entfernen',
      removeThis: '{name} entfernen',
      removed: '„{name}“ entfernt. Damit ist keine Anmeldung mehr möglich.',
      refused: {
        cancelled: 'Browser oder Gerät haben keinen Passkey erstellt.',
        old: 'Ihre Anmeldung liegt dafür zu lange zurück. Bitte ab- und wieder anmelden, dann hinzufügen.',
        refused: 'Der Passkey wurde nicht angenommen. Bitte erneut versuchen.',
      },
    },
    sessions: {
      title: 'Meine Sitzungen',
      endOthers: 'Alle anderen beenden',
      othersEnded: 'Alle Ihre anderen Sitzungen sind beendet.',
      ended: 'Sitzung beendet.',
    },
  },
} as const satisfies Translated<typeof english>
