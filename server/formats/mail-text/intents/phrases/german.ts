import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:im (?:frühjahr|frühling|sommer|herbst|winter|neuen jahr|(?:nächsten|kommenden) (?:jahr|quartal|frühjahr|monat)|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|nächstes jahr|in (?:ein paar|einigen|zwei|drei|sechs|\\p{N}+) monaten|(?:ende|anfang|mitte) (?:des jahres|nächsten jahres)|nach (?:den ferien|dem sommer|der saison)|später)'

export const german: Phrases = {
  absent: [
    '(?:ich bin|bin ich) (?:derzeit |momentan |aktuell |zur ?zeit )?(?:nicht im (?:büro|haus)|(?:bis \\p{L}+ )?im urlaub|abwesend|außer haus)',
    'abwesenheitsnotiz',
  ],
  unsubscribe: [
    'austragen|abmelden|abbestellen|abbestelle|(?:tragen|melden|nehmen) sie (?:mich|uns) (?:bitte )?(?:aus|ab|von|aus der|von der)',
    'keine? (?:weiteren? )?(?:e-?mails?|mails?|nachrichten?|werbung) (?:mehr|zu(?:senden|schicken)|schicken|senden)',
    '(?:schreiben|kontaktieren|belästigen|mailen) sie (?:mir|mich|uns) (?:bitte )?(?:nicht|nie)(?: wieder| mehr)?',
    '(?:löschen|entfernen|streichen) sie (?:bitte )?(?:mich|uns|meine|unsere)|bitte (?:löschen|entfernen|austragen)',
    'aus (?:dem|ihrem) verteiler',
  ],
  no: [
    '(?:kein|keinen|keinerlei|nicht|null) (?:wirklich |weiter |mehr |daran |das )?(?:interesse|interessiert|bedarf|interessant|relevant|nötig)',
    '(?:nicht|kaum) (?:für uns|für mich|in frage|gebraucht)|nein,? danke|(?<!nicht )uninteressant',
    '(?:interessiert|betrifft) (?:mich|uns) (?:leider |derzeit |momentan |zur ?zeit )?nicht',
    '(?:im (?:moment|augenblick)|momentan|derzeit|zur ?zeit|gerade|jetzt|aktuell|vorerst|leider|heute) (?:leider |noch |bitte )?(?:nicht|kein\\p{L}*|nein)(?! (?:im büro|im haus|uninteress))',
    `(?:frag|meld|schreib|komm|kontaktier|versuch)\\p{L}*(?: \\p{L}+){0,4} ${SEASON}(?: \\p{L}+){0,2} (?:noch ?(?:ein)?mal|wieder|an|erneut)`,
    `${SEASON} (?:noch ?(?:ein)?mal|wieder|erneut)`,
    '(?:brauchen|benötigen|wollen|möchten|suchen) (?:wir|das|es|so etwas|so was)?(?: \\p{L}+){0,2} ?(?:nicht|nichts|kein\\p{L}*)|(?:wir|ich) (?:brauchen?|benötigen?|möchten?|wollen?|suchen?) (?:das |es |so etwas |daran )?(?:leider |derzeit |momentan |auch )?(?:nicht|nichts|kein\\p{L}*)',
    '(?:haben|arbeiten|nutzen) (?:wir )?(?:bereits|schon) (?:einen|eine|ein|mit|etwas|jemanden)|sind (?:bereits |gut |schon )?(?:versorgt|zufrieden)',
  ],
  meeting: [
    '(?:einen? )?(?:termin|gespräch|treffen|telefonat|telefontermin|besprechung|videocall) (?:zu )?(?:vereinbaren|machen|ausmachen|vorschlagen|abstimmen|finden|führen|ansetzen)|terminvorschl\\p{L}*',
    'telefonieren|anrufen|rufen sie (?:mich|uns|gerne?|doch)(?: \\p{L}+){0,5} an|ruf mich(?: \\p{L}+){0,4} an|rufen sie (?:mich|uns)',
    '(?:können|könnten|wollen|sollen|sollten|dürfen|würden) wir (?:uns )?(?:\\p{L}+ ){0,6}?(?:treffen|sehen|sprechen|telefonieren|zusammensetzen|unterhalten|austauschen)|treffen wir uns|lassen sie uns (?:\\p{L}+ ){0,4}(?:treffen|sprechen|telefonieren|reden)|(?:gerne? |persönlich )(?:treffen|kennenlernen|sprechen)',
    'wann (?:passt|haben sie|hätten sie|können wir|könnten wir|sind sie)|(?:hätten|haben) sie(?: \\p{L}+){0,3} (?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|nächste woche)(?: \\p{L}+){0,3} zeit|(?:passt|passen|ginge|geht|würde)(?: \\p{L}+){0,3} (?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|nächste woche)',
  ],
  yes: [
    '(?:klingt|hört sich|das ist|finde ich|finden wir)(?: \\p{L}+)? ?(?:sehr |wirklich |richtig )?(?:gut|interessant|spannend|super|toll)(?: an)?',
    '(?:bin|sind|wäre|wären|wir|ich) (?:\\p{L}+ )?(?:sehr |durchaus |grundsätzlich )?interessiert|(?:habe|haben|hätte|hätten|besteht) (?:wir |ich |durchaus |großes |grundsätzlich )?interesse|interessiert (?:mich|uns)(?: sehr)?',
    'gerne? mehr|mehr (?:informationen|infos|details|erfahren|dazu)|(?:schicken|senden|geben|erzählen) sie (?:mir|uns|gerne?|bitte)|(?:schick|send) (?:mir|uns)',
    'freue mich (?:auf|darauf)|ja,? (?:bitte|gerne?)|sehr gerne?',
  ],
  question: [
    '(?:habe|hätte|haben|hätten) (?:ich |wir )?(?:noch )?(?:eine|ein paar|einige) fragen?|eine frage|wüsste gerne?|(?:können|könnten) sie (?:mir|uns) sagen',
  ],
  handOver: [
    '(?:macht|betreut|übernimmt|entscheidet|erledigt|bearbeitet|regelt) (?:bei uns )?(?:mein|meine|unser|unsere) (?:kolleg\\p{L}+|chef(?:in)?|partner(?:in)?|abteilung)',
    '(?:schreiben|fragen|kontaktieren|mailen) sie (?:bitte |doch |gerne )?(?:ihm|ihn|ihr|ihnen)',
    '(?:mein|meine|unser|unsere|ein|eine) (?:kolleg(?:e|in)|chef(?:in)?|vorgesetzte\\p{L}*|partner(?:in)?|mitarbeiter(?:in)?|abteilung|team)(?!\\p{L})[^.!?\\n]{0,60}(?:zuständig|kümmert|verantwortlich|übernimmt|entscheidet|betreut|meldet|macht|antwortet)',
    '(?:zuständig|verantwortlich|ansprechpartner(?:in)?)(?: (?:dafür|hierfür|für \\p{L}+))? (?:ist|sind|wäre)(?: \\p{L}+){0,3}',
    '(?:dafür|hierfür|darum) (?:ist|sind|kümmert sich) (?:bei uns )?(?:mein|meine|unser|unsere|herr|frau|ein|eine)',
    'wenden sie sich(?: \\p{L}+){0,3} an|(?:fragen|kontaktieren|schreiben) sie (?:bitte |doch |gerne )?(?:an )?(?:meine[nmr]?|unsere[nmr]?) ',
    '(?:habe|haben) (?:ich |wir )?(?:ihre (?:mail|nachricht|e-mail|anfrage)|das|es|sie)(?: \\p{L}+){0,5} (?:weitergeleitet|weitergegeben)|(?:leite|leiten|gebe|geben) (?:ich |wir )?(?:das|es|ihre \\p{L}+)(?: \\p{L}+){0,5} weiter',
  ],
  notMe: [
    '(?:nicht|bin nicht) (?:der |die )?(?:zuständig|richtige|verantwortlich)\\p{L}*|falsche (?:person|adresse)|falscher ansprechpartner',
  ],
}
