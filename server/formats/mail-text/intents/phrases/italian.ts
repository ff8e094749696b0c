import type { Phrases } from './phrases.ts'

const SEASON =
  "(?:in (?:primavera|estate|autunno|inverno)|a (?:primavera|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|l'anno prossimo|il (?:mese|trimestre) prossimo|(?:tra|fra) (?:qualche|due|tre|sei|\\p{N}+) mes[ei]|più avanti|dopo l'estate)"

export const italian: Phrases = {
  absent: ['(?:sono|sarò) (?:\\p{L}+ )?(?:fuori (?:ufficio|sede)|assente|in ferie|in vacanza)'],
  unsubscribe: [
    '(?:cancell|rimuov|togli|elimin)(?:atemi|etemi|etelo|ami|imi|eteci|ateci|i)? ?(?:mi|ci|il mio|la mia|il nostro)? ?(?:dalla|dal|dai|il mio indirizzo|i miei dati)|mi (?:cancelli|rimuova|tolga)|(?:cancell|rimuov|togli|elimin)(?:atemi|etemi|ami|imi)',
    'disiscri\\p{L}+|annullare (?:la mia |l.)iscrizione',
    '(?:non (?:mi|ci) (?:scriv|contatt|mand|invi|chiam)\\p{L}+|non (?:scrive|contatta|manda|invia)te(?:mi|ci)|non voglio(?: \\p{L}+){0,2}) (?:più|altre)|smett(?:a|ete|etela|i) di (?:scriver|mandar|inviar|contattar)\\p{L}*',
  ],
  no: [
    'non (?:siamo|sono|mi|ci|è|sarei|saremmo)(?: \\p{L}+){0,2} interess\\p{L}+|no,? grazie|(?:nessun|senza|alcun) (?:interesse|bisogno)|non (?:fa|è) (?:per|al caso) \\p{L}+',
    'non (?:abbiamo|ho|ci|ne abbiamo)(?: \\p{L}+)? ?(?:bisogno|interesse|serve|budget|necessità)|non (?:ora|adesso|per ora|al momento|ancora|in questo momento)|(?:al momento|per ora|per adesso|adesso|ora|quest.anno) no',
    'abbiamo già|ho già (?:un|una|qualcuno)|lavoriamo già|siamo già (?:a posto|coperti|forniti)',
    `(?:ricontatt|riscriv|risent|riprov|scriv|contatt|richiam|chied)\\p{L}+(?: \\p{L}+){0,3} ${SEASON}|ci (?:risentiamo|aggiorniamo) ${SEASON}`,
  ],
  meeting: [
    '(?:possiamo|potremmo|potrei|vorrei|vorremmo|mi piacerebbe|ci piacerebbe|posso)(?: \\p{L}+){0,2} (?:sentir\\p{L}*|veder\\p{L}*|incontrar\\p{L}*|parlar\\p{L}*|fissare|chiamar\\p{L}*|organizzare)',
    "sentiamoci|vediamoci|incontriamoci|parliamone|fissare (?:un|una|l'|il)|fissiamo|(?:un|una) (?:appuntamento|incontro|chiamata|riunione|call|videochiamata|telefonata)|mi (?:chiami|richiami|telefoni)|chiamami|chiamatemi",
    'ci (?:sentiamo|vediamo|incontriamo) (?:lunedì|martedì|mercoledì|giovedì|venerdì|domani|la|alle)|quando (?:è|siete|sei|sarebbe|possiamo|potremmo)|(?:è|siete|sei|sarebbe) (?:liber[oai]|disponibil[ei])',
  ],
  yes: [
    '(?:sono|siamo|sarei|saremmo) (?:molto |davvero )?interessat\\p{L}|(?:mi|ci) interess\\p{L}+|(?:mi|ci) (?:mandi|mandate|invii|inviate|manda|invia)|(?:mand|invi)(?:ami|ateci|atemi)|(?:può|potrebbe|potete) (?:inviar|mandar)\\p{L}+',
    '(?:sembra|suona|mi sembra) (?:molto )?(?:interessante|bene|ottimo|buono)|volentieri|(?:maggiori|più|ulteriori) (?:informazioni|dettagli)|saperne di più|sì,? (?:grazie|certo|volentieri)',
  ],
  question: [
    '(?:ho |avrei |abbiamo )?una domanda|mi chied\\p{L}+ (?:se|come|quanto)|vorrei sapere (?:se|come|quanto)|(?:può|potrebbe) dirmi',
  ],
  handOver: [
    '(?:il mio|la mia|il nostro|la nostra|un|una|un mio|una mia) (?:collega|responsabile|soci[oa]|capo|titolare|ufficio)(?!\\p{L})[^.!?\\n]{0,60}(?:se ne occupa|si occupa|gestisce|segue|decide|risponderà|contatterà)',
    '(?:se ne|si|ne) occupa(?: \\p{L}+){0,3} (?:il mio|la mia|il nostro|la nostra|un|una|il|la) (?:collega|responsabile|soci[oa]|capo|titolare|ufficio)',
    "(?:scriva|contatti|si rivolga|parli|scrivete|contattate)(?: \\p{L}+){0,2} (?:mio|mia|nostro|nostra) |(?:ho|abbiamo|l'ho) (?:inoltrato|girato|passato)",
  ],
  notMe: [
    'non sono (?:io )?(?:la persona|il responsabile|la responsabile)|persona sbagliata|non è (?:il )?mi[oa] (?:settore|competenza)',
  ],
}
