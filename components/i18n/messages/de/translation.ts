import type { Translated } from '../catalogue.ts'
import type { translation as english } from '../en/translation.ts'

export const translation = {
  translation: {
    label: 'Übersetzung',
    translate: 'Übersetzen',
    translating: 'Wird übersetzt …',
    hide: 'Übersetzung ausblenden',
    by: 'Maschinelle Übersetzung{language, select, none {} other { (Original: {language})}}',
    partial: 'Nur die ersten {count, number} Zeichen sind übersetzt.',
    done: 'Übersetzt.',
    limited:
      'Sie können {count, plural, one {# Text} other {# Texte}} pro Minute übersetzen. Versuchen Sie es gleich noch einmal.',
    changed: 'Der Text hat sich geändert. Öffnen Sie den Eintrag neu, um ihn zu übersetzen.',
    problems: {
      away: 'Der Übersetzungsdienst ist nicht erreichbar. Versuchen Sie es später noch einmal.',
      timeout: 'Der Übersetzungsdienst hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.',
      status: 'Der Übersetzungsdienst ist gescheitert (Antwort {status}). Versuchen Sie es später noch einmal.',
      answer: 'Die Antwort des Übersetzungsdienstes ist keine Übersetzung.',
      key: 'Der Übersetzungsdienst hat den API-Schlüssel abgelehnt. Bitten Sie jemanden aus der Administration, ihn zu prüfen.',
      busy: 'Der Übersetzungsdienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
      secret:
        'Der API-Schlüssel des Übersetzungsdienstes ist nicht lesbar. Bitten Sie jemanden aus der Administration, ihn neu einzugeben.',
      off: 'Die Übersetzung ist aus.',
      empty: 'Hier gibt es keinen Text zu übersetzen.',
    },
  },
  translationSettings: {
    title: 'Übersetzung',
    lead: 'Ein Dienst, der Texte für die übersetzt, die sie prüfen.',
    service: 'Übersetzungsdienst',
    none: 'Noch kein Übersetzungsdienst',
    noneText: 'Möglich ist jeder Dienst mit der Schnittstelle von LibreTranslate, auch ein eigener.',
    setUp: 'Dienst einrichten …',
    edit: 'Bearbeiten …',
    remove: 'Entfernen …',
    removeTitle: 'Übersetzungsdienst entfernen',
    removeMeans: 'Prüfende können nicht mehr übersetzen. Der API-Schlüssel wird gelöscht.',
    removeSubmit: 'Dienst entfernen',
    removed: 'Übersetzungsdienst entfernt.',
    saved: 'Übersetzungsdienst gespeichert.',
    save: 'Speichern',
    fromEnvironment: 'Durch TRANSLATION_URL festgelegt. Nur der Betrieb kann das ändern.',
    url: 'Adresse',
    urlHint:
      'Eine öffentliche https-Adresse, ohne /translate. Einen Dienst im eigenen Netz kann der Betrieb mit TRANSLATION_URL angeben.',
    apiKey: 'API-Schlüssel',
    apiKeyHint: 'Leer lassen, wenn der Dienst keinen verlangt.',
    apiKeyKept: 'Leer lassen, um den gespeicherten zu behalten. Eine andere Adresse braucht ihn neu.',
    hasKey: 'gespeichert',
    noKey: 'keiner',
    test: 'Mit einem Beispiel testen',
    testing: 'Wird übersetzt …',
    tested: 'In {ms, number} ms übersetzt: {text}',
    problems: {
      answer: 'Keine Antwort nach der Schnittstelle von LibreTranslate',
      key: 'API-Schlüssel abgelehnt',
      busy: 'Zu viele Anfragen',
      secret:
        'Der gespeicherte API-Schlüssel kann nicht gelesen werden, da sich DOCKET_SECRET geändert hat. Geben Sie ihn noch einmal ein.',
    },
    sending: 'Was gesendet wird',
    isOn: 'Prüfende dürfen Texte übersetzen',
    isOnAbout:
      'Wer einen Eintrag übersetzt, sendet seinen Text an den Dienst: Kommentare, Beiträge und Nachrichten, auch zurückgehaltene. Gesendet wird nur der Text, ohne Namen und IDs, und erst, wenn jemand danach fragt.',
    turnedOn: 'Prüfende können Texte übersetzen.',
    turnedOff: 'Die Übersetzung ist aus.',
  },
} as const satisfies Translated<typeof english>
