import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:(?:till|i|til|på|om|over|efter|etter) ?(?:våren|vår|sommaren|sommeren|sommer|hösten|høsten|høst|vintern|vinteren|foråret|efteråret|januari|januar|februari|februar|mars|marts|april|maj|mai|juni|juli|augusti|august|september|oktober|november|december|desember|några månader|nogle måneder|noen måneder|\\p{N}+ månader|\\p{N}+ måneder)|nästa (?:år|kvartal|vår)|næste (?:år|kvartal|forår)|neste (?:år|kvartal|vår)|senere(?: på året)?|senare(?: i år)?)'

/** Swedish, Danish and Norwegian (Bokmål) share most of their words. */
export const nordic: Phrases = {
  absent: [
    '(?:jag är|jeg er) (?:\\p{L}+ )?(?:inte på kontoret|ikke på kontoret|ikke til stede|på semester|på ferie|frånvarande|fraværende|föräldraledig|bortrest)',
  ],
  unsubscribe: [
    'avregistrera|avprenumerera|(?:ta|tag|stryk|fjern|slet|slett|meld) (?:mig|meg|oss|os|mitt|min|mit)(?: \\p{L}+){0,4} (?:bort|från|fra|av|af)|(?:fjern|slet|slett) (?:mig|meg|os|oss|min|mit|mitt)|afmeld\\p{L}*|avmeld\\p{L}*|meld (?:meg|mig) (?:av|af)',
    '(?:sluta|stopp|stop|slutt)(?:a)? (?:med )?(?:att |å |at )?(?:maila|mejla|skicka|skriva|sende|skrive|maile|kontakta|kontakte)|(?:skicka|skriv|kontakta|send|kontakt)(?: \\p{L}+){0,2} (?:inte|ikke|aldrig|aldri)(?: \\p{L}+)? ?(?:mer|mere|flere|fler|igen|igjen)?|(?:inga|ingen|ikke) (?:fler|flere) (?:mail|mejl|mails|e-post|mailer)',
  ],
  no: [
    '(?:inte|ikke|ej|icke) (?:så |särskilt |särskild |spesielt |særlig |lenger |længere |längre )?(?:intresserad|intresserade|intressant|interesserede|interesseret|interessert|interesserte|interessant|aktuellt|aktuelt|relevant)',
    '(?:inget|ingen|ikke noe|ikke noen) (?:intresse|interesse|behov|budget)|ne[ij],? (?:tack|tak|takk)|(?:inte|ikke) (?:just )?(?:nu|nå|lige nu|akkurat nå|i år|för oss|for os|for oss)|(?:intresserar|interesserer) (?:mig|meg|oss|os) (?:inte|ikke)',
    '(?:behöver|vill|önskar|trenger|ønsker|behøver|vil|har) (?:vi |jag |jeg )?(?:inte|ikke) (?:det|ha|have|detta|dette|det her|mer|bruk|brug|behov)|(?:har|bruker|använder|arbetar|bruger|jobber) (?:vi )?(?:redan|allerede) (?:en|ett|et|med|noe|något|noget)',
    `(?:fråga|spør|spørg|kontakta|kontakt|hör av|hör|återkom|kom|skriv|ring|ta kontakt|vend|prøv)(?: \\p{L}+){0,4} ${SEASON}`,
  ],
  meeting: [
    '(?:kan|ska|skal|skulle|kunne|bör|må) (?:vi|jag|jeg) (?:\\p{L}+ ){0,4}?(?:ses|träffas|mötas|mødes|møtes|treffes|tale|tales|prata|snakke|snakkes|ringas|boka|booke|avtale|aftale|høres|ta en (?:prat|samtale|telefon)|tage en (?:snak|samtale)|talas|höras)',
    '(?:boka|booke|avtale|aftale|bestämma|arrangere|sette opp|sætte) (?:ett|et|en|in) (?:\\p{L}+ )?(?:möte|møde|møte|samtal|samtale|tid)|ring (?:mig|meg|oss|os|gärna|gerne|gjerne)|när (?:passar|kan|har)|hvornår (?:passer|kan|har)|når (?:passer|kan|har)|(?:är|er) du (?:ledig|tillgänglig|tilgængelig|tilgjengelig)',
  ],
  yes: [
    '(?:är|er|vore|ville være) (?:\\p{L}+ )?(?:mycket |meget |svært |veldig )?(?:intresserad|intresserade|interesseret|interesserede|interessert|interesserte)|(?:låter|lyder|høres)(?: \\p{L}+)? (?:bra|godt|intressant|interessant|spännande|spændende|spennende|fint)(?: ut)?|(?:intresserar|interesserer) (?:mig|meg|oss|os)',
    '(?:skicka|send)(?: (?:mig|meg|oss|os))? (?:gärna|gerne|gjerne|mer|mere|en|et|ett|prisen|priser|över|over)|(?:skicka|send) (?:mig|meg|oss|os)|(?:mer|mere) (?:information|informasjon|info|om|detaljer)|ja,? (?:tack|tak|takk|gärna|gerne|gjerne)|(?:gärna|gerne|gjerne) (?:mer|mere|vite|veta|vide|höra|høre)',
  ],
  question: [
    '(?:jag har |jeg har |har )?(?:en fråga|et spørgsmål|et spørsmål)|(?:undrar|lurer på) (?:om|hur|hvor|hvad|hva)|(?:kan du|kan ni) (?:säga|fortælle|fortelle|si)',
  ],
  handOver: [
    '(?:min|vår|vores|en|mitt) (?:kollega|chef|sjef|partner|medarbetare|avdelning|afdeling|avdeling)(?!\\p{L})[^.!?\\n]{0,60}(?:har hand om|hand om|ansvarar|ansvarig|ansvarlig|sköter|tager sig af|tar seg av|tar hand|står for|håndterer|hanterar|beslutar|bestemmer|svarer|svarar)',
    '(?:kontakta|kontakt|skriv til|skriv till|prata med|snakk med|tal med)(?: \\p{L}+)? (?:min|vår|vores) |(?:har|jag har|jeg har) (?:\\p{L}+ ){0,3}(?:vidarebefordrat|skickat vidare|videresendt|sendt videre)(?: \\p{L}+)?',
  ],
  notMe: [
    '(?:inte|ikke) (?:rätt|rette|riktig|den rette) (?:person|kontakt)|fel (?:person|adress)|feil (?:person|adresse)|forkert (?:person|adresse)',
  ],
}
