import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:en (?:la )?(?:primavera|verano|otoño|invierno|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|en el (?:otoño|verano|invierno)|el (?:año|mes|trimestre) que viene|el próximo (?:año|mes|trimestre)|dentro de (?:unos|dos|tres|seis|\\p{N}+) meses|más adelante|después del verano)'

export const spanish: Phrases = {
  absent: [
    '(?:estoy|estaré) (?:\\p{L}+ )?(?:fuera(?: de la oficina)?|de vacaciones|ausente|de baja)(?= |\\.|,|$)|fuera de la oficina|de vacaciones hasta',
  ],
  unsubscribe: [
    'dar(?:me|nos)? de baja|d[eé]n?me de baja|quiero (?:la|darme de) baja|cancelar (?:la |mi )?suscripci[oó]n|desuscri\\p{L}+',
    'no (?:me|nos) (?:escriba|contacte|env[ií]e|mande|moleste|llame)\\p{L}*|dejen? de (?:enviar|escribir|mandar|contactar)\\p{L}*',
    '(?:elim[ií]n|b[oó]rr|qu[ií]t|s[aá]qu)\\p{L}{0,3}(?:me|nos) de|no (?:quiero|deseo|queremos|deseamos) (?:recibir )?más (?:correos|mensajes|emails)',
  ],
  no: [
    'no (?:estoy|estamos|me|nos|est[aá]|les?|ser[ií]a) (?:muy |realmente |demasiado |resulta |parece )?(?:interesad\\p{L}+|interesa\\p{L}*|interesante|interés)',
    'no,? (?:muchas )?gracias|(?:no tenemos|no tengo|sin|ningún|no hay) (?:ningún )?(?:interés|presupuesto|necesidad)',
    '(?:ahora|de momento|por ahora|por el momento|actualmente|en este momento|por desgracia|este año) no|no (?:ahora|por ahora|de momento|en este momento|por el momento|todavía)',
    'no (?:lo |la |los )?(?:necesit|querem|quier|busca|precisam)\\p{L}*|ya (?:tenemos|contamos con|trabajamos con|tengo|usamos)',
    `(?:vuelva|vuelvan|escr[ií]b|contact|pregunt|llám|habl)\\p{L}*(?: \\p{L}+){0,4} ${SEASON}`,
  ],
  meeting: [
    'una (?:reuni[oó]n|llamada|videollamada|cita)|ll[aá]m[ae]n?(?:me|nos)|agendar|concertar|reunirnos|quedar (?:el|la|para)|quedamos',
    '(?:podr[ií]amos|podemos|podr[ií]a|puede|pueden|quisiera|me gustar[ií]a|nos gustar[ií]a)(?: \\p{L}+){0,2} (?:vernos|reunirnos|hablar|quedar|llamar\\p{L}*|conversar|encontrarnos|verle|verlos|reunirme|conocer\\p{L}*)|nos (?:vemos|reunimos|llamamos|podemos ver)|hablemos|reunámonos|veámonos',
    '(?:cuándo|a qué hora|qué día)(?: \\p{L}+){0,2} (?:puede|podría|está|tiene|viene|le va|libre|disponible)|(?:está|estaría|estás|están) (?:libre|disponible)s?',
  ],
  yes: [
    '(?:estoy|estamos|estar[ií]a|estar[ií]amos) (?:muy |realmente |bastante )?interesad\\p{L}+|(?:me|nos) (?:interesa|interesar[ií]a)\\p{L}*',
    '(?:suena|parece|me parece) (?:muy )?(?:bien|interesante|genial)|m[aá]s (?:informaci[oó]n|detalles)|env[ií](?:eme|enos|ame|en|e)|m[aá]nd(?:eme|enos|ame)|(?:puede|podr[ií]a) enviar\\p{L}*',
    's[ií],? (?:por favor|claro)|con gusto|encantad[oa]s?|adelante',
  ],
  question: [
    '(?:tengo |tenemos |tendría )?una (?:pregunta|duda|consulta)|me (?:pregunto|gustaría saber)|(?:puede|podría) decirme',
  ],
  handOver: [
    '(?:escr[ií]bale|cont[aá]ctele|preg[uú]ntele|ll[aá]mele|hable con (?:él|ella))',
    '(?:mi|nuestr[oa]|un|una) (?:compañer[oa]|colega|jef[ea]|soci[oa]|responsable|equipo|encargad[oa])(?!\\p{L})[^.!?\\n]{0,60}(?:se (?:encarga|ocupa)|lleva|gestiona|es (?:el|la )?responsable|decide|responderá|contestará|contactará)',
    '(?:se (?:encarga|ocupa)|lo lleva|lo gestiona)(?: \\p{L}+){0,3} (?:mi|nuestr[oa]|un|una|el|la) (?:compañer[oa]|colega|jef[ea]|soci[oa]|responsable|equipo|encargad[oa]|departamento)',
    '(?:contacte|escriba|diríjase|hable|póngase en contacto)n?(?: \\p{L}+){0,2} (?:mi|nuestr[oa]) |(?:he|hemos|lo he) (?:reenviado|pasado|remitido)',
  ],
  notMe: [
    'no soy (?:la persona|el responsable|la responsable|quien)|persona equivocada|no es mi (?:área|departamento)',
  ],
}
