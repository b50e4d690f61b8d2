alter type try_problem add value 'secret';
