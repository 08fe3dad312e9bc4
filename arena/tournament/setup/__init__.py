"""What is asked for: a config file or flags, checked whole before anything is played."""
