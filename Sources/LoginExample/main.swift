print("LoginExample")
