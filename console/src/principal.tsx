import '@mantine/core/styles.css';
// Here, behind the rules that it refines: in a piece of its own it would be loaded before them, and lose.
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './estilo/base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import dayjs from 'dayjs';
import 'dayjs/locale/pt-br';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { cache } from './api/consulta.ts';
import { giveNonceToEstilos, nonce } from './estilo/nonce.ts';
import { Aplicacao } from './rotas.tsx';
import { ProvedorDaSessao } from './sessao/sessao.tsx';
import { tema, variaveis } from './tema.ts';

dayjs.locale('pt-br');
giveNonceToEstilos();

const raiz = document.getElementById('raiz');
if (!raiz) throw new Error('the page has no place for the application');
createRoot(raiz).render(
  <StrictMode>
    <MantineProvider
      theme={tema}
      cssVariablesResolver={variaveis}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <Notifications position="bottom-right" zIndex={500} />
      <QueryClientProvider client={cache}>
        <Router base="/console">
          <ProvedorDaSessao>
            <Aplicacao />
          </ProvedorDaSessao>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
