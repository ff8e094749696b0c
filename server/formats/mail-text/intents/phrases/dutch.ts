import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:in (?:het )?(?:voorjaar|najaar|de lente|de zomer|de herfst|de winter|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)|volgend (?:jaar|kwartaal|voorjaar)|over (?:een paar|enkele|twee|drie|zes|\\p{N}+) maanden|na de (?:zomer|vakantie)|later dit jaar|later)'

export const dutch: Phrases = {
  absent: [
    '(?:ik ben|ben ik) (?:\\p{L}+ )?(?:niet op kantoor|afwezig|op vakantie|met vakantie|met verlof)|afwezigheidsbericht',
  ],
  unsubscribe: [
    'uitschrijven|afmelden|(?:schrijf|meld|haal|verwijder) (?:mij|me|ons|mijn)(?: \\p{L}+){0,5}|uit (?:uw|het|jullie) bestand|van (?:uw|de|jullie) (?:lijst|mailinglijst)',
    '(?:stuur|mail|schrijf|benader|contacteer)(?: \\p{L}+){0,3} (?:niet|geen)(?: \\p{L}+)? ?(?:meer|mails|e-mails)|geen (?:mails|e-mails|berichten|reclame) meer|stop(?:pen)? met (?:mailen|sturen|schrijven)',
  ],
  no: [
    '(?:geen|niet|weinig) (?:echt |meer |zo |in )?(?:interesse|geïnteresseerd|interessant|behoefte|belangstelling|nodig|budget)|nee,? (?:dank|bedankt|dankjewel)\\p{L}*|niet (?:voor ons|voor mij|relevant|aan de orde)',
    '(?:nu|momenteel|op dit moment|voorlopig|vandaag|dit jaar) (?:even )?(?:niet|geen)|niet (?:nu|op dit moment|dit jaar)',
    '(?:hebben|werken|gebruiken) (?:we |wij )?(?:al|reeds) (?:een|met|iemand|iets)|zijn (?:al )?voorzien',
    `(?:vraag|neem|benader|mail|bel|kom|schrijf|probeer)(?: \\p{L}+){0,6} ${SEASON}(?: \\p{L}+){0,3} ?(?:nog eens|opnieuw|weer|contact|terug)?`,
  ],
  meeting: [
    'afspreken|een afspraak|(?:kunnen|zullen|mogen|zouden) (?:we|wij) (?:\\p{L}+ ){0,5}?(?:bellen|spreken|praten|ontmoeten|overleggen|zien|inplannen)|(?:bel|belt u) (?:mij|me|ons)|elkaar (?:spreken|ontmoeten)|een (?:gesprek|telefoongesprek|videogesprek|overleg|belafspraak) (?:\\p{L}+ )?(?:plannen|inplannen|voeren|hebben)|inplannen',
    'wanneer (?:kunt|kun|bent|ben|schikt|past|heeft|kunnen)|(?:bent u|ben je|heeft u tijd|heb je tijd)(?: \\p{L}+){0,2} (?:beschikbaar|vrij|maandag|dinsdag|woensdag|donderdag|vrijdag|morgen|volgende week)',
  ],
  yes: [
    '(?:ben|zijn) (?:\\p{L}+ )?(?:zeer |erg |wel )?geïnteresseerd|(?:heb|hebben|is) (?:\\p{L}+ )?(?:interesse|belangstelling)|klinkt (?:goed|interessant|leuk|prima)|meer (?:informatie|info|weten|details)|(?:stuur|stuurt u|mail) (?:mij|me|ons|maar)|ja,? (?:graag|prima)|graag meer',
  ],
  question: [
    '(?:ik heb |heb ik |we hebben )?een vraag|ik vraag me af|(?:kunt u|kun je) (?:mij|me|ons) (?:zeggen|vertellen)',
  ],
  handOver: [
    '(?:mijn|onze|een) (?:collega|chef|baas|partner|leidinggevende|team|afdeling)(?!\\p{L})[^.!?\\n]{0,60}(?:gaat (?:hier|er|daar)?over|regelt|verantwoordelijk|behandelt|doet|beslist|neemt contact)',
    '(?:hier|daar)(?:over|voor) (?:gaat|zorgt|is) (?:mijn|onze|een) (?:collega|chef|baas|partner)|(?:neem contact op met|mail|vraag het aan|spreek met) (?:mijn|onze) |(?:heb|hebben) (?:ik )?(?:\\p{L}+ ){0,4}doorgestuurd',
  ],
  notMe: [
    'niet de juiste (?:persoon|contactpersoon)|verkeerde (?:persoon|adres)|ga (?:ik )?(?:hier|daar) niet over',
  ],
}
