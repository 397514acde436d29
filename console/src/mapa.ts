/** Every screen that wants a session: its address, who may open it, and its place in the menu. */
import {
  IconArchive,
  IconBuildingStore,
  IconCloudSearch,
  IconCloudUpload,
  IconDownload,
  IconFiles,
  IconHeartRateMonitor,
  IconHistory,
  IconLayoutDashboard,
  IconListSearch,
  IconPointer,
  IconSettings,
  IconSignature,
  type TablerIcon,
} from '@tabler/icons-react';
import { preguica, type Tela } from './preguica.tsx';
import type { Papel } from './sessao/sessao.tsx';

interface Lugar {
  path: string;
  papeis: readonly Papel[];
  /** Loaded when it is opened first. */
  tela: Tela;
  /** Fetched while the browser has nothing else to do, once the first screen stands: what nearly everybody opens next. */
  provavel?: true;
  /** Absent: reached from another screen. */
  menu?: { grupo: 'Trabalho' | 'Escritório'; nome: string; Icone: TablerIcon };
}

const TODOS: readonly Papel[] = ['administrador', 'operador', 'cliente'];
const ESCRITORIO: readonly Papel[] = ['administrador', 'operador'];
const ADMINISTRADOR: readonly Papel[] = ['administrador'];

/** In the order of the menu. */
const LUGARES: readonly Lugar[] = [
  {
    path: '/',
    papeis: TODOS,
    tela: preguica(() => import('./telas/inicio/inicio.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Início', Icone: IconLayoutDashboard },
  },
  {
    path: '/documentos',
    papeis: TODOS,
    tela: preguica(() => import('./telas/documentos/documentos.tsx')),
    provavel: true,
    menu: { grupo: 'Trabalho', nome: 'Documentos', Icone: IconFiles },
  },
  {
    path: '/documentos/:id',
    papeis: TODOS,
    tela: preguica(() => import('./telas/documento/documento.tsx')),
    provavel: true,
  },
  {
    path: '/importacoes',
    papeis: TODOS,
    tela: preguica(() => import('./telas/importacoes/importacoes.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Importações', Icone: IconCloudUpload },
  },
  {
    path: '/importacoes/:id',
    papeis: TODOS,
    tela: preguica(() => import('./telas/importacao/importacao.tsx')),
  },
  {
    path: '/captura',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/captura/captura.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Captura', Icone: IconCloudSearch },
  },
  {
    path: '/captura/:cpfCnpj',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/captura/cliente.tsx')),
  },
  {
    path: '/manifestacao',
    papeis: TODOS,
    tela: preguica(() => import('./telas/manifestacao/manifestacao.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Manifestação', Icone: IconSignature },
  },
  {
    path: '/leiautes',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/leiautes/leiautes.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Leiautes a ensinar', Icone: IconPointer },
  },
  {
    path: '/leiautes/ensinar/:id',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/leiaute/ensinar.tsx')),
  },
  {
    path: '/faltantes',
    papeis: TODOS,
    tela: preguica(() => import('./telas/faltantes/faltantes.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Faltantes', Icone: IconListSearch },
  },
  {
    path: '/downloads',
    papeis: TODOS,
    tela: preguica(() => import('./telas/downloads/downloads.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Downloads', Icone: IconDownload },
  },
  {
    path: '/clientes',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/clientes/clientes.tsx')),
    menu: { grupo: 'Trabalho', nome: 'Clientes', Icone: IconBuildingStore },
  },
  {
    path: '/clientes/:cpfCnpj',
    papeis: ESCRITORIO,
    tela: preguica(() => import('./telas/cliente/cliente.tsx')),
  },
  {
    path: '/conta/:aba?',
    papeis: TODOS,
    tela: preguica(() => import('./telas/conta/conta.tsx')),
    menu: { grupo: 'Escritório', nome: 'Opções da conta', Icone: IconSettings },
  },
  {
    path: '/auditoria',
    papeis: ADMINISTRADOR,
    tela: preguica(() => import('./telas/auditoria/auditoria.tsx')),
    menu: { grupo: 'Escritório', nome: 'Auditoria', Icone: IconHistory },
  },
  {
    path: '/retencao',
    papeis: ADMINISTRADOR,
    tela: preguica(() => import('./telas/retencao/retencao.tsx')),
    menu: { grupo: 'Escritório', nome: 'Retenção e guarda', Icone: IconArchive },
  },
  {
    path: '/saude',
    papeis: ADMINISTRADOR,
    tela: preguica(() => import('./telas/saude/saude.tsx')),
    menu: { grupo: 'Escritório', nome: 'Saúde do sistema', Icone: IconHeartRateMonitor },
  },
];

/** The places that somebody of this role may open. */
export const lugaresDe = (papel: Papel) => LUGARES.filter(({ papeis }) => papeis.includes(papel));
