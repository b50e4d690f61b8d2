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
      reversed: 'Das wurde aufgehoben und zählt nicht mehr.',
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
    appeal: {
      title: 'Ist das falsch?',
      lead: 'Sie können sich einmal beschweren, bis {time}. Wenn es eine gibt, entscheidet eine andere Person als beim ersten Mal. Die Antwort wird auf dieser Seite stehen.',
      words: 'Warum es falsch ist',
      submit: 'Beschwerde senden',
      failed: 'Sie wurde nicht gesendet. Versuchen Sie es noch einmal.',
      isOver:
        'Sie wurde nicht gesendet: Sie haben sich schon beschwert, oder die Entscheidung wurde aufgehoben. Laden Sie diese Seite neu.',
      yours: 'Ihre Beschwerde',
      sent: 'Gesendet {time}',
      waiting: 'Darüber ist noch nicht entschieden. Die Antwort wird auf dieser Seite stehen.',
      answer: 'Die Antwort',
      outcomes: { kept: 'Die Entscheidung bleibt.', reversed: 'Die Entscheidung wurde aufgehoben.' },
    },
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
    appeals: {
      waiting: 'Beschwerde offen',
      kept: 'nach Beschwerde beibehalten',
      reversed: 'nach Beschwerde aufgehoben',
    },
  },
  appeals: {
    title: 'Beschwerden',
    about:
      'Was jemand gegen eine Ablehnung, Löschung, Sperre, Stummschaltung oder Verwarnung sagt. Es entscheidet eine andere Person als beim ersten Mal.',
    tabs: 'Offene und entschiedene Beschwerden',
    states: { waiting: 'Offen', decided: 'Entschieden' },
    none: { waiting: 'Keine offenen Beschwerden', decided: 'Keine entschiedenen Beschwerden' },
    noneText: {
      waiting:
        'Beschwerden werden auf der Seite der Begründung eingereicht; ihr Link steht hier auf der Seite der Person.',
      decided: 'Hier stehen entschiedene Beschwerden mit ihren Antworten.',
    },
    more: 'Mehr anzeigen',
    of: 'Beschwerde von {who}',
    measures: {
      rejected:
        '{type, select, comment {Abgelehnter Kommentar} post {Abgelehnter Beitrag} other {Abgelehnte Nachricht}}',
      deleted: '{type, select, comment {Gelöschter Kommentar} post {Gelöschter Beitrag} other {Gelöschte Nachricht}}',
      banned: 'Sperre',
      muted: 'Stummschaltung',
      warned: 'Verwarnung',
    },
    inSpace: '{what} in {space}',
    due: 'Entscheiden bis {time}',
    overdue: 'Überfällig seit {time}',
    made: 'Beschwerde vom {time}',
    words: 'Die Beschwerde',
    erased: 'Gelöscht.',
    judged: 'Worüber entschieden wurde',
    notThere: 'Es ist nicht mehr gespeichert, oder Sie können es nicht sehen.',
    stated: 'Die Entscheidung',
    noRule: 'Es wurde keine Regel genannt.',
    byRules: 'Eine Regel hat ohne einen Menschen entschieden. Mitgeteilt {time}.',
    byPerson: 'Ein Mensch hat entschieden. Mitgeteilt {time}.',
    already: { ended: 'Das ist vorbei.', reversed: 'Das wurde inzwischen aufgehoben.' },
    first: 'Die erste Entscheidung war Ihre: Über diese Beschwerde entscheidet jemand anderes.',
    alone:
      'Die erste Entscheidung war Ihre, und niemand sonst kann über diese Beschwerde entscheiden. Das Protokoll wird es festhalten.',
    reverse: 'Aufheben',
    keep: 'Beibehalten',
    titles: { kept: 'Entscheidung beibehalten?', reversed: 'Entscheidung aufheben?' },
    submits: { kept: 'Entscheidung beibehalten', reversed: 'Entscheidung aufheben' },
    means: {
      kept: 'Es bleibt, wie es ist, und {who} kann sich nicht noch einmal beschweren. Das lässt sich nicht rückgängig machen.',
      rejected:
        '{type, select, comment {Der Kommentar} post {Der Beitrag} other {Die Nachricht}} wird veröffentlicht, Meldungen dazu bleiben geschlossen, und die Strikes zählen nicht mehr. Das lässt sich nicht rückgängig machen.',
      deleted:
        '{type, select, comment {Der Kommentar} post {Der Beitrag} other {Die Nachricht}} ist wieder öffentlich, Meldungen dazu bleiben geschlossen, und die Strikes zählen nicht mehr. Das lässt sich nicht rückgängig machen.',
      banned:
        'Die Sperre wird aufgehoben, wenn sie noch gilt, und ihre Strikes zählen nicht mehr. {who} kann wieder beitreten. Das lässt sich nicht rückgängig machen.',
      muted:
        'Die Stummschaltung endet, wenn sie noch gilt, und ihre Strikes zählen nicht mehr. Das lässt sich nicht rückgängig machen.',
      warned: 'Die Verwarnung zählt nicht mehr. Das lässt sich nicht rückgängig machen.',
    },
    answer: 'Antwort an {who}',
    answerHint: 'Sie steht auf der Seite der Begründung, ohne Ihren Namen.',
    done: {
      kept: 'Beibehalten. {who} kann die Antwort lesen.',
      reversed: 'Aufgehoben. {who} kann die Antwort lesen.',
      nothingLeft: 'Aufgehoben. Es war nichts mehr wiederherzustellen.',
    },
    outcomes: { kept: 'Beibehalten', reversed: 'Aufgehoben' },
    decidedBy: 'Entschieden von {who}, {time}.',
    firstBy: 'Die erste Entscheidung war von {who}.',
  },
} as const satisfies Translated<typeof english>
