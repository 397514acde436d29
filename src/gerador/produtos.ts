/** One article that somebody sells. */
export interface Produto {
  codigo: string;
  descricao: string;
  /** 8 digits. */
  ncm: string;
  unidade: string;
  /** Price in cents. */
  preco: number;
  /** Whether ICMS is collected by substituição tributária at the manufacturer. */
  st: boolean;
  cest: string | null;
  /** EAN-13 with check digit, or `SEM GTIN`. */
  gtin: string;
  /** Whether it is sold in fractions (kg, m, l). */
  fracionado: boolean;
}

/** Description; NCM; unit; lowest and highest price; CEST where the article is under ST. */
const ROWS: Record<string, string> = {
  alimentos: `
Arroz Branco Tipo 1 5kg;10063021;PCT;22.90;34.90|Feijão Carioca 1kg;07133399;PCT;6.49;11.90|Açúcar Cristal 5kg;17019900;PCT;17.90;24.50
Café Torrado e Moído 500g;09012100;PCT;16.90;32.90|Óleo de Soja 900ml;15079011;UN;6.90;9.80|Macarrão Espaguete 500g;19021900;PCT;3.49;6.90;1704900
Farinha de Trigo 1kg;11010010;PCT;4.20;6.80|Leite UHT Integral 1L;04012010;CX;4.59;6.49|Queijo Muçarela Fatiado;04061010;KG;38.90;59.90
Biscoito Recheado Chocolate & Avelã 130g;19053100;UN;2.79;4.99;1705300|Molho de Tomate Sachê 340g;21032010;UN;2.29;4.49|Peito de Frango Congelado;02071400;KG;14.90;22.90
Picanha Bovina Resfriada;02013000;KG;59.90;99.90|Maçã Gala;08081000;KG;7.90;13.90|Pão Francês;19059090;KG;13.90;21.90`,
  bebidas: `
Refrigerante Cola 2L;22021000;UN;7.49;11.90;0301100|Cerveja Pilsen Lata 350ml;22030000;UN;2.99;5.49;0302100|Água Mineral s/ Gás 500ml;22011000;UN;1.20;3.00;0300100
Suco de Uva Integral 1,5L;20096900;UN;16.90;26.90|Vinho Tinto Seco 750ml;22042100;GF;24.90;89.90;0202400|Energético 473ml;22029900;UN;6.90;11.90;0301300`,
  limpeza: `
Detergente Neutro 500ml;34025000;UN;1.99;3.49;1101100|Água Sanitária 2L;28289011;UN;4.90;8.90|Sabão em Pó 1,6kg;34025000;CX;15.90;27.90;1100500
Papel Higiênico Folha Dupla c/ 12;48181000;PCT;14.90;26.90|Amaciante Conc. 1L Flor & Maçã;38099190;UN;9.90;17.90;1100600|Esponja Multiuso c/ 4;68053090;PCT;4.49;8.49`,
  construcao: `
Cimento CP II 50kg;25232910;SC;32.90;44.90;0500100|Argamassa AC-III 20kg;38245000;SC;28.90;46.90|Tijolo Cerâmico 8 Furos;69041000;MI;690.00;1180.00;1003000
Tinta Acrílica Fosca 18L;32091010;LT;189.90;389.90;2400100|Tubo PVC Soldável 25mm 6m;39172300;BR;19.90;34.90;1000600|Piso Cerâmico 60x60 Acetinado;69072100;M2;29.90;69.90;1003001
Vergalhão CA-50 10mm 12m;72142000;BR;48.90;69.90;1004000|Areia Média Lavada;25059000;M3;98.00;165.00|Telha Fibrocimento 2,44x1,10m;68114000;UN;58.90;92.00;1002600`,
  eletrica: `
Cabo Flexível 2,5mm² 100m;85444900;RL;169.90;289.90;1200700|Disjuntor Bipolar 32A;85362000;UN;38.90;72.90;1200400|Lâmpada LED Bulbo 9W;85395200;UN;5.90;14.90;0900500
Tomada 2P+T 10A c/ Placa;85366910;UN;8.90;22.90;1200400|Quadro de Distribuição 12 Disj.;85371090;UN;62.90;129.90|Fita Isolante 19mm x 20m;39191010;UN;6.90;13.90`,
  informatica: `
Notebook 15,6" 16GB SSD 512GB;84713012;UN;2899.00;4890.00|Mouse Óptico USB;84716053;UN;19.90;59.90|Teclado ABNT2 Sem Fio;84716052;UN;69.90;189.90
Monitor LED 24" Full HD;85285200;UN;649.00;1190.00|SSD NVMe 1TB;84717040;UN;329.00;589.00|Cabo HDMI 2.0 2m;85444200;UN;14.90;39.90|Toner Compatível Preto;84439933;UN;59.90;149.90`,
  vestuario: `
Camiseta Algodão Básica P;61091000;UN;24.90;59.90|Calça Jeans Masculina;62034200;UN;89.90;219.90|Vestido Malha Estampado;61044200;UN;79.90;189.90
Tênis Esportivo;64041100;PAR;149.90;399.90|Meia Cano Médio c/ 3 Pares;61159500;PCT;19.90;39.90|Jaqueta Corta-Vento;62019300;UN;129.90;289.90|Boné Aba Curva;65050022;UN;39.90;89.90`,
  moveis: `
Cadeira Escritório Giratória;94013090;UN;349.00;899.00|Mesa de Jantar 6 Lugares MDF;94036000;UN;890.00;2390.00|Guarda-Roupa 6 Portas;94035000;UN;799.00;1890.00
Sofá 3 Lugares Suede;94016100;UN;990.00;2890.00|Colchão Casal Espuma D33;94042100;UN;549.00;1290.00|Estante Aço 6 Prateleiras;94032090;UN;189.00;389.00`,
  autopecas: `
Pastilha de Freio Dianteira;87083090;JG;79.90;219.90;0107500|Filtro de Óleo;84212300;UN;18.90;49.90;0103600|Amortecedor Dianteiro;87088000;UN;189.90;459.90;0107500
Bateria 60Ah;85071010;UN;329.00;589.00;0104200|Pneu 175/70 R14;40111000;UN;269.00;449.00;1600100|Óleo Motor 5W30 Sintético 1L;27101932;UN;29.90;59.90;0600600|Correia Dentada;40103900;UN;39.90;119.90;0100800`,
  papelaria: `
Papel Sulfite A4 75g 500 fls;48025610;RSM;22.90;32.90|Caderno Universitário 10 Matérias;48202000;UN;17.90;39.90|Caneta Esferográfica Azul cx 50;96081000;CX;39.90;69.90
Grampeador de Mesa 26/6;84729040;UN;24.90;59.90|Pasta Suspensa Kraft c/ 50;48203000;CX;89.90;139.90|Lápis de Cor c/ 24;96091000;CX;18.90;49.90`,
  refeicoes: `
Prato Executivo - Filé à Parmegiana;21069090;UN;34.90;58.90|Almoço Buffet por Quilo;21069090;KG;59.90;89.90|Pizza Grande Calabresa;21069090;UN;49.90;79.90
Porção Batata & Bacon;21069090;UN;32.90;49.90|Suco Natural Laranja 400ml;20091200;UN;9.90;15.90|Cafezinho Expresso;21011200;UN;5.00;9.00|Pudim de Leite;21069090;UN;9.90;16.90
Refrigerante Lata 350ml;22021000;UN;6.00;9.00;0301100|Cerveja Long Neck 355ml;22030000;UN;9.90;16.90;0302100|X-Salada c/ Fritas;21069090;UN;24.90;42.90`,
  agro: `
Soja em Grãos;12019000;SC;118.00;142.00|Milho em Grãos;10059010;SC;52.00;74.00|Boi Gordo em Pé;01022990;CB;3900.00;6200.00|Leite Cru Refrigerado;04012090;L;2.10;3.05
Café Beneficiado Arábica;09011110;SC;1180.00;2150.00|Ovos Brancos Extra cx 30 Dz;04072100;CX;139.00;219.00|Mandioca In Natura;07141000;KG;1.10;2.60`,
  metal: `
Chapa de Aço Carbono 3mm;72085200;KG;6.90;11.90|Perfil U Enrijecido 100x40;72169110;KG;7.40;12.60|Parafuso Sextavado M10x50;73181500;CT;48.90;96.00
Rolamento Rígido de Esferas 6205;84821010;UN;22.90;58.90|Eletrodo Rutílico 2,5mm;83111000;KG;24.90;39.90|Disco de Corte 7";68042211;UN;5.90;13.90|Motor Elétrico Trif. 2cv;85015110;UN;689.00;1290.00`,
  embalagens: `
Caixa Papelão Ondulado 40x30x30;48191000;UN;2.90;6.90|Filme Stretch 500mm;39201099;BB;38.90;69.90|Saco Plástico PEBD 50x80;39232190;MI;189.00;389.00
Fita Adesiva Transparente 48x100;39191010;RL;4.90;9.90|Etiqueta Adesiva 100x50 rolo;48211000;RL;19.90;39.90|Palete de Madeira PBR;44152000;UN;58.00;98.00`,
};

/** What every segment sells, before a company gives it its own codes and prices. */
interface ModeloDeProduto {
  descricao: string;
  ncm: string;
  unidade: string;
  precoMinimo: number;
  precoMaximo: number;
  cest: string | null;
}

function parseRow(row: string): ModeloDeProduto {
  const [descricao = '', ncm = '', unidade = '', low = '0', high = '0', cest] = row.trim().split(';');
  return {
    descricao,
    ncm,
    unidade,
    precoMinimo: Math.round(Number(low) * 100),
    precoMaximo: Math.round(Number(high) * 100),
    cest: cest ?? null,
  };
}

/** Articles by segment. */
export const CATALOGO: Readonly<Record<string, readonly ModeloDeProduto[]>> = Object.fromEntries(
  Object.entries(ROWS).map(([segmento, rows]) => [segmento, rows.trim().split(/[|\n]/).map(parseRow)]),
);

const FRACTIONED_UNITS = new Set(['KG', 'L', 'M2', 'M3']);

/** Whether quantities of the unit have decimals. */
export function isFractioned(unidade: string): boolean {
  return FRACTIONED_UNITS.has(unidade);
}

/** Completes 12 digits to an EAN-13. */
export function ean13(twelve: string): string {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(twelve[i]) * (i % 2 === 0 ? 1 : 3);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}
