import type { Translated } from '../catalogue.ts'
import type { statement as english } from '../en/statement.ts'

export const statement = {
  statement: {
    page: 'Warum das geschehen ist',
    titles: {
      rejected:
        '{type, select, comment {Ihr Kommentar wurde nicht veröffentlicht} post {Ihr Beitrag wurde nicht veröffentlicht} other {Ihre Nachricht wurde nicht veröffentlicht}}',
      deleted:
        '{type, select, comment {Ihr Kommentar wurde gelöscht} post {Ihr Beitrag wurde gelöscht} other {Ihre Nachricht wurde gelöscht}}',
      banned: '{scope, select, network {Sie sind gesperrt} other {Sie sind in {space} gesperrt}}',
      muted: 'Sie können in {space} einige Zeit nicht schreiben',
      warned: '{scope, select, network {Eine Verwarnung für Sie} other {Eine Verwarnung für Sie in {space}}}',
    },
    over: {
      ended: 'Das ist vorbei.',
      reversed: 'Das wurde rückgängig gemacht: Was Sie geschrieben haben, ist wieder öffentlich.',
    },
    yours: 'Was Sie geschrieben haben',
    gone: 'Es ist nicht mehr gespeichert.',
    rule: 'Die Regel',
    noRule: 'Es wurde keine Regel genannt.',
    terms: 'Das ist eine der Regeln dieses Netzwerks.',
    law: 'Das verstößt gegen das Gesetz: {reference}.',
    published: 'Alle Regeln',
    words: 'Was die Moderation Ihnen schreibt',
    explanation: 'Warum',
    where: 'Wo',
    everywhere: 'Überall',
    at: 'Wann',
    until: 'Bis',
    noEnd: 'Kein Ende festgelegt',
    found: 'Wie es gefunden wurde',
    foundBy: {
      rule: 'Eine automatische Regel dieses Netzwerks hat es gefunden.',
      report: 'Jemand hat es gemeldet.',
      person: 'Die Moderation ist darauf gestoßen.',
    },
    decided: 'Wer entschieden hat',
    byProgram: 'Ein Programm hat entschieden, ohne einen Menschen.',
    byPerson: 'Ein Mensch hat entschieden.',
    number: 'Nummer',
    invalid: 'Dieser Link funktioniert nicht',
    invalidText:
      'Er ist nicht vollständig oder älter als 180 Tage. Suchen Sie einen neueren in der App, in der Sie schreiben.',
  },
  statements: {
    title: 'Begründungen',
    measures: {
      rejected: 'Abgelehnt',
      deleted: 'Gelöscht',
      banned: 'Gesperrt',
      muted: 'Stummgeschaltet',
      warned: 'Verwarnt',
    },
    states: { ended: 'vorbei', reversed: 'rückgängig gemacht' },
    inSpace: 'in {space}',
    byRules: 'durch Regeln',
    more: 'Mehr anzeigen',
    copyLink: 'Link der Begründung kopieren',
    copied: 'Link kopiert',
  },
} as const satisfies Translated<typeof english>
