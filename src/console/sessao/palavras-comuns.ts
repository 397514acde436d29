/** Words that passwords are commonly made of, without accents and in lower case, and whole ones that leaked and look like no word. */
export const PALAVRAS_COMUNS: ReadonlySet<string> = new Set(
  `
senha senhas senhasegura segredo secreta secreto acesso entrar entra login logon usuario admin administrador administrator
administradora root sistema system master mestre teste testes testando test testing tester default padrao mudar mudarsenha trocar
password passwort passw pass passe parol parola contrasena clave motdepasse wachtwoord welcome bemvindo bemvinda letmein
changeme change temp temporaria provisoria guest visitante convidado computador computer internet windows google facebook instagram whatsapp
youtube apple samsung nokia sony playstation xbox nintendo microsoft office excel server servidor rede banco dados
contabil contabilidade contador contadora contabilista escritorio fiscal notafiscal nota notas sped sefaz receita imposto tributo empresa
firma cliente clientes financeiro dinheiro money rico malote documento documentos certificado digital
amor amores amo teamo euteamo amovoce amomeusfilhos amomeufilho amominhafilha love lover iloveyou iloveu loveme loveyou meuamor meubem
vida viva minha minhavida meu minhasenha minhafamilia familia family filho filha filhos mae pai mamae papai vovo irmao irma
bebe princesa princess principe rainha queen king rei anjo angel angels anjinho deus deusefiel deusehamor jesus jesuscristo
jesuschrist cristo christ fiel gratidao senhor nossasenhora aparecida espirito santo santa fe paz saude sucesso sorte vitoria
feliz felicidade alegria saudade esperanca liberdade coracao corazon lindo linda lindinha gato gata gatinha gatinho cachorro
cachorrinho dog dogs cat cats kitty hellokitty pet rex bob thor mel luna nina bidu totó toto
brasil brazil brasileiro brasileira portugal america europa paris london saopaulo riodejaneiro rio minas gerais minasgerais bahia
salvador recife fortaleza natal curitiba parana florianopolis portoalegre gaucho brasilia goiania manaus belem vitoria campinas santos
flamengo mengao mengo corinthians timao palmeiras verdao saopaulofc tricolor vasco vascao fluminense botafogo gremio internacional inter
cruzeiro atletico galo santosfc peixe bahiaec esporte futebol football soccer barcelona realmadrid madrid liverpool chelsea arsenal
manchester juventus milan messi neymar ronaldo ronaldinho pele kaka copa campeao champion
janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo
january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
primavera verao outono inverno spring summer autumn winter sol lua estrela estrelas star stars starwars mar praia ceu terra fogo agua
maria jose joao antonio francisco carlos paulo pedro lucas luiz luis marcos gabriel rafael daniel marcelo bruno eduardo felipe
rodrigo manoel manuel mateus andre fernando fabio leonardo gustavo guilherme leandro tiago thiago anderson ricardo marcio jorge alexandre
roberto edson diego vitor victor sergio claudio matheus joaquim sebastiao miguel arthur davi enzo heitor bernardo samuel ana francisca
antonia adriana juliana marcia fernanda patricia aline sandra camila amanda bruna jessica leticia julia luciana vanessa mariana gabriela
vera vitoria larissa claudia beatriz rita luana sonia renata eliane josefa simone natalia cristiane carla debora rosangela jaqueline rosa
daniela aparecida marlene terezinha raimunda andreia fabiana lucia raquel angela rafaela joana luzia silva santos oliveira souza sousa
lima ferreira costa rodrigues almeida nascimento alves carvalho araujo ribeiro helena alice laura sofia sophia valentina isabella manuela
isabela eduarda giovanna bianca michael michelle jennifer jordan robert thomas charlie andrew matthew joshua ashley nicole daniel jessica
anthony william joseph david james john mary alexander alexandra aleksandra elizabeth victoria andrea martin george richard maximilian konstantin
christian christopher christophe alessandro anastasia anastasiya natasha sasha dasha vanya masha alejandro
azul vermelho verde amarelo preto branco rosa roxo laranja blue red green yellow black white orange purple pink silver gold
gostosa gostoso delicia sexo sexy tesao fuck fucker fuckyou fuckme fuckoff fucking shit bitch pussy dick cock cocksucker sucker porn asshole hardcore
batman superman spiderman homemaranha ironman pokemon pikachu naruto sakura sasuke goku dragonball dragon dragao mickey minnie mickeymouse
matrix terminator undertaker enterprise startrek gandalf hobbit frodo harrypotter hogwarts jedi jediknight darthvader vader simpsons
metallica nirvana slipknot ironmaiden evanescence linkinpark limpbizkit blink system beatles madonna eminem rock rockandroll musica music
guitarra guitar piano samba carnaval cerveja churrasco pagode sertanejo forro futsal volei surf skate skateboard bike moto carro
ferrari porsche mercedes honda civic hondacivic toyota corolla yamaha harley mustang lamborghini volkswagen fusca opala gol chevrolet fiat
casa lar home trabalho escola faculdade amigo amiga amigos friend friends bestfriend boyfriend girlfriend galera turma turminha
sunshine monkey shadow baseball basketball hockey tennis cookie cookies chocolate banana morango strawberry blueberry watermelon pineapple orange
abacaxi laranja maca pepper ginger cheese coffee cafe butterfly borboleta flor flores flower flowers rosas girassol jasmine tiger tigre
leao lion panther pantera eagle aguia falcon wolf lobo bear urso elefante elephant cavalo horse horses dolphin golfinho snoopy garfield
freedom whatever trustno trustnoone nothing something secret secrets superstar super superduper supersonic mega power ninja samurai hacker hack
warrior guerreiro guerreira guerra war soldado soldier killer matador demon diablo diabo hell hellraiser inferno
counterstrike callofduty warcraft worldofwarcraft minecraft roblox freefire fortnite lineage starcraft runescape gta zelda mario luigi
hello helloworld ola oi goodbye tchau bomdia boanoite abracadabra abrakadabra opensesame abretesesamo
lasvegas losangeles newyork california texas florida chicago boston dallas canada mexico deutschland germany france italia italy russia japan
mother father brother sister mommy daddy baby babygirl babyboy prettygirl sailormoon tinkerbell sweetheart sweety honey darling lovely
golden goldfish goldfinger silverado diamond diamante cristal crystal esmeralda rubi
phoenix fenix thunder thunderbird trovao raio lightning storm tempestade rain chuva neve snow snowball snowboard blizzard
qualquer coisa nada tudo nunca sempre forever novo nova velho hoje amanha agora seguro segura forte fraca facil dificil esqueci
naosei naolembro euamo voce eu ele ela nos mylove mypassword nopassword password mein meine love
um dois tres quatro cinco seis sete oito nove dez one two three four five six seven eight nine ten
madagaskar manager gerente diretor chefe boss socio presidente lula bolsonaro
translator synchmaster syncmaster montgomery salamander salamandra multiplelo motherlode deepthroat tokiohotel sonyericsson evangelion highlander
ghostrider microphone roadrunner friendster dragonballz finalfantasy spartan needforspeed devilmaycry mastermind casablanca armageddon playboy
blackberry braveheart montecarlo depechemode painkiller firefighter moneymaker testing leavemealone
soso123aljg sojdlg123aljg usuckballz1 mailcreated5240 nuttertools polniypizdec0211 rjirfrgbde fktrcfylhf rjycnfynby montgom240 sersolution
1123581321 4815162342 1029384756 fuck_inside ghbdtn gfhjkm 7ugd5hip2j 9293709b13 pufunga7782 3rjs1la7qe 8phrowz622 8phrowz624 j3qq4h7h2v
`
    .trim()
    .split(/\s+/),
);

/** Walks over a keyboard or an alphabet; any piece of them, forwards or backwards, is no secret. */
export const SEQUENCIAS: readonly string[] = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qwertzuiop',
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1z2x3c4v5b6n7m',
  'qawsedrftgyhujikolp',
  'azsxdcfvgbhnjmk',
  'a1s2d3f4g5h6j7k8l9',
  'a1b2c3d4e5f6g7h8i9',
  '1a2b3c4d5e6f7g8h9i',
  '1a2s3d4f5g6h7j8k9l',
  'z1x2c3v4b5n6m7',
  'zaq1xsw2cde3vfr4bgt5',
  'qweasdzxc',
  'zxcasdqwe',
  '1qazxsw23edcvfr4',
  'qweruiop',
  'asdfjkl',
  '741852963',
  '789456123',
  '147258369',
  '135792468',
  '246813579',
  'qpwoeiruty',
];
