import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:na primavera|no (?:verão|outono|inverno|próximo (?:ano|mês|trimestre)|ano que vem)|em (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)|para o ano|daqui a (?:alguns|dois|três|seis|\\p{N}+) meses|mais tarde|mais para a frente|depois (?:do verão|das férias))'

export const portuguese: Phrases = {
  absent: ['(?:estou|estarei) (?:\\p{L}+ )?(?:fora do escritório|de férias|ausente|em férias)'],
  unsubscribe: [
    'cancelar (?:a |minha |a minha )?(?:subscrição|inscrição|assinatura)|descadastr\\p{L}+|desinscrev\\p{L}+',
    '(?:retire|remova|remover|retirar|exclua|apague|tire)m?(?:-me|-nos)? (?:me |o meu |meu |da |os meus |meus )|(?:me )(?:remova|retire|exclua|tire|descadastre)m?',
    'não (?:me |nos |quero |queremos )?(?:escreva|contact[ea]|contate|envie|mande|incomode|receber)m?(?:-me|-nos)? (?:mais)|pare(?:m)? de (?:enviar|mandar|escrever|contact?ar)\\p{L}*',
  ],
  no: [
    'não (?:estou|estamos|me|nos|há|tenho|temos|é|seria)(?: \\p{L}+){0,2} interess\\p{L}+|não,? obrigad[oa]|(?:sem|nenhum|qualquer) interesse',
    'não (?:precis|quer|procur|necessit)\\p{L}+|não temos (?:orçamento|necessidade|verba)|(?:agora|de momento|no momento|por agora|por enquanto|atualmente|este ano|neste momento) não|não (?:agora|por agora|de momento|no momento|neste momento|ainda|por enquanto)',
    'já (?:temos|tenho|trabalhamos|usamos|contamos)',
    `(?:volte|contact?|fale|escrev|pergunt|procur|tent)\\p{L}*(?:-\\p{L}+)?(?: \\p{L}+){0,4} ${SEASON}`,
  ],
  meeting: [
    '(?:podemos|poderíamos|podíamos|vamos|gostaria de|gostaríamos de|queria|posso|poderia)(?: \\p{L}+){0,2} (?:marcar|agendar|conversar|falar|reunir\\p{L}*|encontrar\\p{L}*|ligar|ver-nos|nos ver|nos encontrar|nos reunir|combinar)(?:-nos)?',
    'uma (?:reunião|chamada|ligação|videochamada|conversa|call)|(?:ligue|telefone|liga)(?:m)?-?(?:me| me| para mim)|me (?:ligue|liga|telefone)|marcar (?:um|uma)|agendar (?:um|uma)',
    'quando (?:pode|poderia|está|estaria|podemos|tem)|(?:está|estaria) (?:livre|disponível)',
  ],
  yes: [
    '(?:estou|estamos|estaria) (?:muito |bastante )?interessad\\p{L}+|(?:tenho|temos|teria) (?:muito |todo o )?interesse|interessa-(?:me|nos)|(?:me|nos) interessa',
    '(?:parece|soa)(?:-me)? (?:muito )?(?:bem|interessante|ótimo)|mais (?:informações|detalhes|informação)|(?:envie|mande|enviem|mandem)(?:-me|-nos)?|pode (?:me )?enviar\\p{L}*|gostaria de saber mais|com (?:muito )?(?:gosto|prazer)|sim,? por favor',
  ],
  question: [
    '(?:tenho |temos |teria )?uma (?:pergunta|dúvida|questão)|gostaria de saber (?:se|como|quanto)|(?:pode|poderia) (?:me )?dizer',
  ],
  handOver: [
    '(?:o meu|a minha|meu|minha|nosso|nossa|um|uma) (?:colega|chefe|sóci[oa]|responsável|equipa|equipe|diretora?)(?!\\p{L})[^.!?\\n]{0,60}(?:trata|cuida|é (?:o |a )?responsável|se ocupa|decide|responderá|gere|vai responder)',
    '(?:quem (?:trata|cuida)|(?:é )?tratado|trata)(?: \\p{L}+){0,4} (?:meu|minha|nosso|nossa) (?:colega|chefe|sóci[oa]|responsável|equipa|equipe)',
    '(?:contact?e|fale|escreva)(?: \\p{L}+){0,2} (?:meu|minha|nosso|nossa) |(?:encaminhei|reencaminhei|encaminhamos|repassei)',
  ],
  notMe: ['não sou (?:eu )?(?:a pessoa|o responsável|a responsável)|pessoa errada'],
}
