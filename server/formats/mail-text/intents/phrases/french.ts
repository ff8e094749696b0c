import type { Phrases } from './phrases.ts'

const SEASON =
  "(?:au printemps|cet été|en été|à l'été|à l'automne|en automne|cet hiver|en hiver|à la rentrée|l'an prochain|l'année prochaine|le (?:trimestre|mois|semestre) prochain|en (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)|dans (?:quelques|deux|trois|six|\\p{N}+) mois|plus tard)"

export const french: Phrases = {
  absent: [
    'je (?:suis|serai) (?:actuellement )?(?:absente?|en congés?|en vacances|hors du bureau)|absente? du bureau',
  ],
  unsubscribe: [
    'désabonne\\p{L}*|désinscri\\p{L}*|désinscrire',
    "(?:ne|n')(?: me| nous)? ?(?:contactez|m'écrivez|nous écrivez|écrivez|m'envoyez|envoyez|recontactez)(?:[- ](?:moi|nous))? (?:plus|pas)",
    '(?:retirez|supprimez|enlevez|rayez|ôtez)[- ](?:moi|nous|mon|mes|notre)|(?:me|nous) (?:retirer|supprimer|désinscrire|désabonner|enlever|rayer) (?:de|des|du)',
    '(?:ne )?plus (?:recevoir|être contacté)',
  ],
  no: [
    '(?:pas|plus|guère|nullement|ni) (?:du tout |vraiment |très |particulièrement |trop )?(?:intéressée?s?|intéressante?s?|concernée?s?|besoin|preneurs?)',
    "(?:ne|n')(?: m'| nous | m)?'? ?(?:intéresse|intéressent|intéressera) (?:pas|plus|guère)",
    "non,? merci|aucun (?:intérêt|besoin)|sans intérêt|pas (?:pour (?:nous|moi|l'instant|le moment)|maintenant|actuellement|cette année|encore|dans l'immédiat|d'intérêt|de budget)",
    "(?:ne|n')(?: \\p{L}+'?){0,2} ?(?:souhaitons|souhaite|voulons|veux|avons|ai|cherchons|recherchons|recherche) (?:pas|plus|aucun)",
    `(?:recontact|rappel|revenez|relanc|réécri|reprenez|reparl)\\p{L}*(?:[- ]\\p{L}+){0,4} ${SEASON}`,
    "(?:avons|ai|travaillons|utilisons) déjà (?:un|une|avec|quelqu'un|ce qu'il|notre)|(?:nous sommes|suis) (?:déjà )?(?:satisfaits?|équipée?s?|pourvus?)",
  ],
  meeting: [
    '(?:un |prendre |fixer )?rendez-vous|prendre rdv|un rdv|une réunion|un appel|une visio|un entretien',
    "(?:pourrions|pouvons|pourrait|peut|devrions|souhaiterais|aimerais|voudrais|serait-il possible de)(?:[- ](?:nous|on|il|je|vous))?(?: (?:nous|se|en|vous|m'))*(?: ?(?:nous|se|en|vous))? ?(?:voir|rencontrer|appeler|parler|téléphoner|discuter|convenir|échanger)",
    "(?:nous|s'|vous|m')(?: )?(?:appeler|rencontrer)|appelez[- ](?:moi|nous)|rappelez[- ](?:moi|nous)|appelle[- ]moi|(?:voyons|rencontrons|appelons|parlons)[- ](?:nous|en)|on (?:s'appelle|se voit|se parle|se rencontre)",
    '(?:quand|à quel moment|quelles)(?: \\p{L}+)? ?(?:êtes[- ]vous|seriez[- ]vous|es[- ]tu|sont vos)(?: \\p{L}+)? ?(?:disponibles?|libres?|disponibilités)?|(?:êtes|seriez)[- ]vous (?:disponible|libre)',
  ],
  yes: [
    "(?:suis|sommes|serais|serions|serait) (?:très |vraiment |bien |tout à fait |vivement )?(?:intéressée?s?|preneurs?)|(?:ça|cela|ceci|offre|proposition|sujet|idée|qui) (?:m'|nous |pourrait m'|pourrait nous )intéress\\p{L}+|nous intéress\\p{L}+|m'intéress\\p{L}+",
    "en savoir plus|plus d'(?:informations?|infos|détails)|envoyez[- ](?:moi|nous)|(?:pouvez|pourriez)[- ]vous (?:m'|nous )(?: )?envoyer|envoie[- ]moi",
    "(?:ça|cela) (?:a l'air|semble|me paraît) (?:très )?(?:bien|intéressant|super)|(?:très |c'est )intéressant|avec plaisir|volontiers|oui,? (?:merci|s'il vous plaît|volontiers)|d'accord",
  ],
  question: [
    "(?:j'ai |j'aurais |nous avons )?une question|je me demand\\p{L}+|pouvez[- ]vous me dire|j'aimerais savoir (?:si|comment|quand)",
  ],
  handOver: [
    '(?:écrivez|demandez|parlez|téléphonez)[- ]lui|contactez[- ](?:le|la|les)|voyez[- ](?:le|la|ça)? ?avec (?:lui|elle)',
    "(?:mon|ma|notre|un|une) (?:collègue|confrère|responsable|associée?|directeur|directrice|service|équipe|patron|patronne)(?!\\p{L})[^.!?\\n]{0,60}(?:s'(?:en )?occupe|gère|charge|responsable|décide|suit|répondra|traite|recontactera)",
    "c'est (?:mon|ma|notre|un|une) (?:collègue|responsable|associée?|directeur|directrice|patron|patronne)[^.!?\\n]{0,60}(?:qui|que)",
    '(?:adressez[- ]vous|contactez|écrivez|voyez|voir|voyez ça)(?: plutôt| directement)?(?: à| avec)? (?:mon|ma|notre|nos) ',
    "(?:j'ai|nous avons|je l'ai|je) (?:transmis|transféré|fait suivre|transmets|transfère|fais suivre)",
  ],
  notMe: [
    'pas (?:la bonne|le bon|la) (?:personne|interlocuteur|interlocutrice|adresse)|mauvaise (?:personne|adresse)|mauvais interlocuteur|pas (?:de )?mon (?:domaine|ressort|service)',
  ],
}
